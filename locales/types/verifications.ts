// Written by `npm run locales` from locales/en. Do not edit.
export type VerificationsMessages = {
  text: string;
  add: string;
  addTitle: string;
  edit: string;
  name: string;
  origin: string;
  isDefault: string;
  makeDefault: string;
  makeDefaultTitle: (values: { name: string | number }) => string;
  makeDefaultText: string;
  changed: string;
  id: string;
  link: string;
  linkHelp: string;
  qr: string;
  config: string;
  configDefault: string;
  defaultName: string;
  unnamed: (values: { time: string | number }) => string;
  where: string;
  externalId: string;
  externalIdHelp: string;
  tenantId: string;
  originHelp: string;
  startPath: string;
  startPathHelp: string;
  returnPath: string;
  returnPathHelp: string;
  redirectUrl: string;
  redirectUrlHelp: string;
  embedOrigins: string;
  embedOriginsHelp: string;
  unusableOrigins: string;
  how: string;
  collision: string;
  collisionChoices: {
    unset: string;
    deny: string;
    flag: string;
    review: string;
  };
  limit: string;
  limitChoices: {
    unset: string;
    none: string;
    total: string;
    day: string;
    week: string;
    month: string;
  };
  limitMax: string;
  skip: string;
  skipHelp: string;
  hours: string;
  challenge: string;
  challengeChoices: {
    unset: string;
    standard: string;
    strict: string;
  };
  trust: string;
  trustHelp: string;
  trustChoices: {
    unset: string;
    any: string;
    review_untrusted: string;
    kiosk: string;
  };
  phone: string;
  phoneChoices: {
    unset: string;
    true: string;
    false: string;
  };
  share: string;
  autoReturn: string;
  requireAccount: string;
  isTest: string;
  asForm: string;
  asJson: string;
  configView: string;
  json: string;
  jsonHelp: string;
  jsonWrong: string;
  save: string;
  create: string;
  emptyTitle: string;
  emptyText: string;
  collisionMeans: {
    unset: string;
    deny: string;
    flag: string;
    review: string;
  };
  limitMeans: {
    unlimited: string;
    limited: string;
  };
  challengeMeans: {
    standard: string;
    strict: string;
  };
  trustMeans: {
    any: string;
    review_untrusted: string;
    kiosk: string;
  };
  phoneMeans: {
    unset: string;
    true: string;
    false: string;
  };
};
