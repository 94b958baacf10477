// Written by `npm run locales` from locales/en. Do not edit.
export type FloorMessages = {
  title: string;
  text: string;
  advice: string;
  noScript: string;
};
