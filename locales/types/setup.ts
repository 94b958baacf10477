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
  strength: {
    short: string;
    weak: string;
    fair: string;
    strong: string;
  };
  event: string;
  eventHelp: string;
  eventDefault: string;
  recover: {
    title: string;
    text: string;
    phrase: string;
    phraseHelp: string;
    next: string;
    back: string;
    admin: string;
    passphrase: string;
    factor: string;
    factorHelp: string;
    save: string;
  };
  join: {
    title: (values: { name: string | number }) => string;
    waiting: string;
    joined: string;
    expired: string;
    expiredText: string;
    renew: string;
    other: string;
    otherText: string;
    certificate: string;
    trustBack: string;
    trustTitle: string;
    trustText: string;
    qr: string;
    here: string;
    hereText: string;
    hereOpen: string;
    pin: string;
    pinText: string;
    notReachable: string;
    notReachableStaff: string;
    openNetwork: string;
  };
  network: {
    title: string;
    text: string;
    confirm: string;
    progress: string;
  };
  steps: {
    title: string;
    progress: (values: { done: string | number; all: string | number }) => string;
    done: string;
    names: {
      event: string;
      kiosk: string;
      guest: string;
      colleague: string;
      recovery: string;
      network: string;
    };
    actions: {
      event: string;
      kiosk: string;
      guest: string;
      colleague: string;
      recovery: string;
      network: string;
    };
    sample: string;
    sampleAdded: (values: { name: string | number }) => string;
  };
  noCompany: {
    title: string;
    text: string;
    ask: string;
  };
};
