// Written by `npm run locales` from locales/en. Do not edit.
export type AccountMessages = {
  sessionsTitle: string;
  sessionsText: string;
  thisOne: string;
  lastSeen: (values: { time: string | number }) => string;
  end: string;
  endLabel: (values: { device: string | number }) => string;
  everywhere: string;
  everywhereText: string;
  passphraseTitle: string;
  passphraseText: string;
  current: string;
  next: string;
  change: string;
  changed: string;
  pinTitle: string;
  pinText: string;
  pin: string;
  setPin: string;
  removePin: string;
  removePinTitle: string;
  removePinText: string;
  pinSet: string;
  pinRemoved: string;
};
