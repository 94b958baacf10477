// Written by `npm run locales` from locales/en. Do not edit.
export type KeysMessages = {
  text: string;
  issue: string;
  issueTitle: string;
  issueText: string;
  pair: string;
  name: string;
  nameHelp: string;
  unnamed: string;
  rename: string;
  type: string;
  types: {
    v3: string;
    connect: string;
  };
  typeHelp: {
    v3: string;
    connect: string;
  };
  kinds: {
    pk: string;
    sk: string;
    ak: string;
  };
  state: string;
  states: {
    active: string;
    ending: string;
    ended: string;
    revoked: string;
  };
  lastUsed: string;
  created: string;
  ends: string;
  ended: string;
  revokedAt: string;
  reason: string;
  replacedBy: string;
  list: string;
  working: string;
  gone: string;
  pairId: string;
  roll: string;
  rollTitle: (values: { keys: string | number }) => string;
  rollText: string;
  revoke: string;
  revokeBoth: string;
  revokeTitle: (values: { keys: string | number }) => string;
  revokeText: string;
  newKeys: string;
  warning: string;
  stored: string;
  oldEnd: (values: { left: string | number }) => string;
  oldEnded: string;
  done: string;
  emptyTitle: string;
  emptyText: string;
  goneTitle: string;
  goneText: string;
  issueFirst: string;
  purposes: {
    sk_test: string;
    pk_test: string;
    sk_live: string;
    pk_live: string;
    ak_test: string;
    ak_live: string;
  };
  paste: string;
};
