import type { FirstRunWords } from './en.ts';

export const de: FirstRunWords = {
  title: 'Willkommen bei Gatehouse',
  text: 'Zwei Dinge braucht es vor dem Einlass: wer sich kümmert, und für welche Firma. Das dauert eine Minute und braucht kein Netz.',
  company: 'Firma',
  companyHelp: 'Besucher lesen diesen Namen vor ihrer Prüfung.',
  companyAdopted: 'Diese Firma gibt es hier schon, sie bleibt. Schon ausgegebene Schlüssel gelten weiter.',
  name: 'Ihr Name',
  nameHelp: 'Damit melden Sie sich an, und er steht im Protokoll.',
  passphrase: 'Passphrase',
  passphraseHelp: 'Mindestens 12 Zeichen. Gut sind vier Wörter, die nichts miteinander zu tun haben.',
  code: 'Einrichtungscode',
  codeHelp: 'Sie sind an einem anderen Rechner: Der Code steht im Log des Servers.',
  basics:
    'Damit entsteht eine erste Prüfung: eine pro Person, Zweifelsfälle gehen an einen Prüfer. Alles lässt sich später ändern.',
  create: 'Anlegen',
  keysTitle: 'Ihre Schlüssel',
  keysText:
    'Ihr Ticketsystem fordert damit Prüfungen an. Ohne eines können Sie weitergehen: Neue Schlüssel gibt es jederzeit.',
  keysAdopted: 'Neue Schlüssel für die Firma. Die schon ausgegebenen gelten weiter.',
  keysWarning: 'Nur dieses eine Mal zu sehen. Gatehouse behält keine lesbare Kopie.',
  keysStored: 'Ich habe sie sicher abgelegt',
  demo: 'Auch eine Demo-Firma anlegen',
  demoHelp:
    'Ein Festival, das es nie gab, mit Leuten, Fällen und Aufrufen zum Umsehen. Es steht getrennt von Ihrer Firma.',
  finish: 'Konsole öffnen',
  strength: {
    short: 'Zu kurz',
    weak: 'Leicht zu erraten',
    fair: 'Gut genug',
    strong: 'Stark',
  },
  keys: {
    pk_live: 'Öffentlich, live',
    sk_live: 'Geheim, live',
    ak_live: 'API-Schlüssel für v1 und v2, Produktion',
    pk_test: 'Öffentlich, Test',
    sk_test: 'Geheim, Test',
    ak_test: 'API-Schlüssel für v1 und v2, Demo',
  },
};
