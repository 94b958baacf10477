// Written by `npm run locales` from locales/en. Do not edit.
export type AuditMessages = {
  text: string;
  export: string;
  verify: string;
  intact: (values: { count: string | number }) => string;
  head: string;
  headHelp: string;
  broken: (values: { entry: string | number }) => string;
  action: string;
  actor: string;
  subject: string;
  at: string;
  entry: (values: { seq: string | number }) => string;
  number: string;
  hash: string;
  actionHelp: string;
  from: string;
  to: string;
  system: string;
  cli: string;
  emptyTitle: string;
  emptyText: string;
  notLoaded: string;
};
