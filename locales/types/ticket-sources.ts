// Written by `npm run locales` from locales/en. Do not edit.
export type TicketSourcesMessages = {
  title: string;
  titleOf: (values: { name: string | number }) => string;
  text: string;
  back: string;
  importList: string;
  any: string;
  anyText: string;
  anyConfirm: string;
  anyName: string;
  emptyTitle: string;
  emptyText: string;
  kinds: {
    list: string;
    any: string;
    pretix: string;
    hi_events: string;
  };
  counts: (values: { tickets: number; invalid: number }) => string;
  newer: string;
  newerOf: (values: { name: string | number }) => string;
  remove: string;
  removeTitle: (values: { name: string | number }) => string;
  removeText: (values: { tickets: number }) => string;
  imported: (values: { added: number; changed: number }) => string;
  tooLarge: (values: { megabytes: number }) => string;
  name: string;
  encoding: string;
  separator: string;
  tab: string;
  preview: string;
  column: (values: { number: number }) => string;
  unused: string;
  fields: {
    code: string;
    name: string;
    last_name: string;
    kind: string;
    party: string;
    note: string;
    state: string;
  };
  wouldDo: (values: { added: number; changed: number; same: number }) => string;
  noCodes: string;
  luma: string;
  leftOut: (values: { count: number }) => string;
  faults: {
    no_code: (values: { line: number }) => string;
    long_code: (values: { line: number }) => string;
    long_text: (values: { line: number }) => string;
    duplicate: (values: { line: number }) => string;
    state_unknown: (values: { line: number }) => string;
    long_line: (values: { line: number }) => string;
    other_source: (values: { line: number }) => string;
  };
  cancelGone: (values: { count: number }) => string;
  doImport: string;
};
