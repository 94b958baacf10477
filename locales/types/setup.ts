// Written by `npm run locales` from locales/en. Do not edit.
export type SetupMessages = {
  title: string;
  text: string;
  company: string;
  companyHelp: string;
  companyAdopted: string;
  name: string;
  nameHelp: string;
  passphrase: string;
  passphraseHelp: string;
  code: string;
  codeHelp: string;
  basics: string;
  create: string;
  keysTitle: string;
  keysText: string;
  keysAdopted: string;
  keysWarning: string;
  keysStored: string;
  demo: string;
  demoHelp: string;
  finish: string;
  strength: {
    short: string;
    weak: string;
    fair: string;
    strong: string;
  };
  keys: {
    pk_live: string;
    sk_live: string;
    ak_live: string;
    pk_test: string;
    sk_test: string;
    ak_test: string;
  };
};
