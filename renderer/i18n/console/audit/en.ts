export const en = {
  text: 'Every change, by whom and why. Each entry holds the hash of the one before it.',
  export: 'Export',
  verify: 'Verify the chain',
  intact: (count: number) => `Intact: ${count} entries fit together.`,
  head: 'Last hash',
  headHelp: 'Keep it somewhere else: it shows later whether the end was cut off.',
  broken: (entry: number) =>
    `Broken at entry ${entry}. What follows cannot be relied on: compare with a backup.`,
  action: 'Action',
  actor: 'Who',
  subject: 'What',
  at: 'When',
  entry: (seq: number) => `Entry ${seq}`,
  number: 'No.',
  details: 'Details',
  data: 'Data',
  hash: 'Hash',
  actionHelp: 'e.g. operator.*',
  from: 'From',
  to: 'Until',
  system: 'Gatehouse',
  cli: 'Command line',
  emptyTitle: 'Nothing fits',
  emptyText: 'No entry fits the filters. Clear them to see every change.',
  notLoaded: 'This entry is not among those loaded. Load more, or change the filters.',
};

export type AuditWords = typeof en;
