import type { MyWords } from './words.ts';

export const de: MyWords = {
  documentTitle: 'Meine Prüfungen',
  title: 'Meine Prüfungen',
  text: 'Sieh, welche Veranstalter dich kennen, und lass deine Daten löschen. Zeig zuerst, dass die Nummer dir gehört.',
  listTitle: 'Wer dich kennt',
  listText: 'Diese Veranstalter haben Daten aus einer Prüfung mit deiner Nummer.',
  emptyTitle: 'Kein Veranstalter kennt diese Nummer',
  emptyText: 'Eine Prüfung ohne Telefonnummer steht hier nicht. Frag den Veranstalter dieser Prüfung.',
  test: 'Test',
  connected: 'Verbunden',
  disconnected: 'Getrennt',
  since: 'Seit',
  lastVisit: 'Letzter Besuch',
  disconnect: 'Trennen',
  erase: 'Meine Daten löschen',
  done: 'Fertig',
  confirmDisconnect: {
    title: (organiser) => `Von ${organiser} trennen?`,
    lines: (organiser) => [
      `Deine Freigabe bei ${organiser} wird sofort zurückgezogen. Deine Konten dort sind nicht mehr mit dir verknüpft.`,
      'Dein Gesichtscode bleibt. Du kannst die Prüfung wiederholen oder deine Daten löschen.',
    ],
    confirm: 'Trennen',
    working: 'Wird getrennt…',
  },
  confirmErase: {
    title: (organiser) => `Deine Daten bei ${organiser} löschen?`,
    lines: (organiser) => [
      `Dein Gesichtscode, deine Nummer und deine Fotos bei ${organiser} werden gelöscht. Deine Freigabe dort endet.`,
      'Das lässt sich nicht rückgängig machen.',
    ],
    confirm: 'Meine Daten löschen',
    working: 'Wird gelöscht…',
  },
  back: 'Zurück',
  said: {
    disconnected: (organiser) => `Du bist von ${organiser} getrennt.`,
    erased: (organiser) => `Deine Daten bei ${organiser} sind gelöscht.`,
    gone: 'Das war schon erledigt. Das hier ist noch da.',
    failed: 'Das hat nicht geklappt. Nichts wurde geändert. Versuch es gleich noch einmal.',
    ended: 'Deine Zeit auf dieser Seite ist um. Zeig bitte noch einmal, dass die Nummer dir gehört.',
    closed: 'Geschlossen. Auf diesem Gerät bleibt nichts.',
  },
};
