// Written by `npm run locales` from locales/en. Do not edit.
export type SdkMessages = {
  view: string;
  close: string;
  elsewhere: string;
  elsewhereText: string;
  open: string;
};
