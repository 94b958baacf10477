// Written by `npm run locales` from locales/en. Do not edit.
export type PhoneMessages = {
  code: (values: { code: string | number }) => string;
  test: string;
};
