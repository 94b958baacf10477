// Written by `npm run locales` from locales/en. Do not edit.
export type OverlapMessages = {
  label: string;
  now: string;
  '1h': string;
  '24h': string;
  '7d': string;
};
