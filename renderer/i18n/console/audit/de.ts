import type { AuditWords } from './en.ts';

export const de: AuditWords = {
  text: 'Jede Änderung, von wem und warum. Jeder Eintrag trägt den Hash des vorigen.',
  export: 'Exportieren',
  verify: 'Kette prüfen',
  intact: (count) => `Unversehrt: ${count} Einträge passen zusammen.`,
  head: 'Letzter Hash',
  headHelp: 'Bewahren Sie ihn woanders auf: Er zeigt später, ob das Ende fehlt.',
  broken: (entry) =>
    `Gebrochen bei Eintrag ${entry}. Was folgt, ist nicht verlässlich: Vergleichen Sie mit einer Sicherung.`,
  action: 'Aktion',
  actor: 'Wer',
  subject: 'Was',
  at: 'Wann',
  entry: (seq) => `Eintrag ${seq}`,
  number: 'Nr.',
  details: 'Einzelheiten',
  data: 'Daten',
  hash: 'Hash',
  actionHelp: 'z. B. operator.*',
  from: 'Von',
  to: 'Bis',
  system: 'Gatehouse',
  cli: 'Kommandozeile',
  emptyTitle: 'Nichts passt',
  emptyText: 'Kein Eintrag passt zu den Filtern. Leeren Sie sie, um alles zu sehen.',
  notLoaded: 'Dieser Eintrag ist nicht geladen. Laden Sie mehr, oder ändern Sie die Filter.',
};
