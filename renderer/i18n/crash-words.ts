/** Shown where a page stopped working: kept apart from every other word, so that it can hardly fail itself. */
import type { Language } from '../../server/contract/languages.ts';

export type CrashWords = {
  crashed: { title: string; text: string };
  offline: { title: string; text: string };
  /** A part of the page did not load although the server answers. */
  blocked: { title: string; text: string };
  reload: string;
  back: string;
  elsewhere: string;
  /** At a kiosk, in place of `elsewhere`. */
  restarts: string;
};

export const CRASH_WORDS: Record<Language, CrashWords> = {
  en: {
    crashed: { title: 'Something went wrong', text: 'This page stopped working. Reload it to continue.' },
    offline: { title: 'No connection', text: 'Connect to Wi-Fi or mobile data, then reload.' },
    blocked: {
      title: 'This page did not load completely',
      text: 'Turn off content blockers for this page, then reload.',
    },
    reload: 'Reload',
    back: 'Go back',
    elsewhere: 'If this happens again, use another browser.',
    restarts: 'This screen restarts in a few seconds.',
  },
  es: {
    crashed: {
      title: 'Algo ha fallado',
      text: 'Esta página ha dejado de funcionar. Recárguela para continuar.',
    },
    offline: { title: 'Sin conexión', text: 'Conéctese a una red wifi o móvil y recargue la página.' },
    blocked: {
      title: 'La página no se ha cargado por completo',
      text: 'Desactive los bloqueadores de contenido en esta página y recárguela.',
    },
    reload: 'Recargar',
    back: 'Volver',
    elsewhere: 'Si vuelve a ocurrir, utilice otro navegador.',
    restarts: 'Esta pantalla se reinicia en unos segundos.',
  },
  fr: {
    crashed: {
      title: 'Un problème est survenu',
      text: 'Cette page s’est arrêtée. Rechargez-la pour continuer.',
    },
    offline: {
      title: 'Pas de connexion',
      text: 'Connectez-vous au Wi-Fi ou au réseau mobile, puis rechargez.',
    },
    blocked: {
      title: 'La page ne s’est pas chargée entièrement',
      text: 'Désactivez les bloqueurs de contenu pour cette page, puis rechargez-la.',
    },
    reload: 'Recharger',
    back: 'Retour',
    elsewhere: 'Si cela se reproduit, utilisez un autre navigateur.',
    restarts: 'Cet écran redémarre dans quelques secondes.',
  },
  de: {
    crashed: {
      title: 'Etwas ist schiefgelaufen',
      text: 'Diese Seite funktioniert nicht mehr. Laden Sie sie neu.',
    },
    offline: {
      title: 'Keine Verbindung',
      text: 'Verbinden Sie sich mit WLAN oder Mobilfunk und laden Sie neu.',
    },
    blocked: {
      title: 'Die Seite wurde nicht vollständig geladen',
      text: 'Schalten Sie Inhaltsblocker für diese Seite aus und laden Sie neu.',
    },
    reload: 'Neu laden',
    back: 'Zurück',
    elsewhere: 'Falls es wieder passiert, nutzen Sie einen anderen Browser.',
    restarts: 'Dieser Bildschirm startet in wenigen Sekunden neu.',
  },
};
