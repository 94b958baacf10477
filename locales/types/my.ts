// Written by `npm run locales` from locales/en. Do not edit.
export type MyMessages = {
  documentTitle: string;
  title: string;
  text: string;
  codeHelp: string;
  listTitle: string;
  listText: string;
  emptyTitle: string;
  emptyText: string;
  listTextOfRun: string;
  emptyTitleOfRun: string;
  emptyTextOfRun: string;
  withoutNumber: string;
  withoutNumberAsk: (values: { organiser: string | number; contact: string | number }) => string;
  test: string;
  connected: string;
  disconnected: string;
  since: string;
  lastVisit: string;
  disconnect: string;
  erase: string;
  done: string;
  confirmDisconnect: {
    title: (values: { organiser: string | number }) => string;
    lines: readonly (((values: { organiser: string | number }) => string) | string)[];
    confirm: string;
    working: string;
  };
  confirmErase: {
    title: (values: { organiser: string | number }) => string;
    lines: readonly (((values: { organiser: string | number }) => string) | string)[];
    confirm: string;
    working: string;
  };
  back: string;
  said: {
    disconnected: (values: { organiser: string | number }) => string;
    erased: (values: { organiser: string | number }) => string;
    gone: string;
    failed: string;
    ended: string;
    closed: string;
  };
  keptTitle: string;
  kept: {
    face: string;
    faceOf: (values: { event: string | number }) => string;
    pictures: string;
    photo: (values: { event: string | number }) => string;
    ticket: (values: { event: string | number }) => string;
    contact: string;
    checks: string;
  };
  keptUntil: (values: { day: string | number }) => string;
  keptUntilErased: string;
  keptUntilDecided: string;
  keptEarlier: string;
  keptNothing: string;
};
