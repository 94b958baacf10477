// Written by `npm run locales` from locales/en. Do not edit.
export type StartMessages = {
  intro: string;
  guest: string;
  data: string;
  kiosk: string;
  docs: string;
  sdk: string;
  console: string;
};
