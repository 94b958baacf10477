/** What the window says while there is no server, in the languages of the console. What the server itself said stays as it is. */
import type { StartStage } from './ready-line.ts';

export type StatusWords = {
  starting: string;
  /** What comes next in a start that has come so far. */
  doing: Record<StartStage | 'begun', string>;
  patience: string;
  restarting: string;
  restartingText: string;
  failed: string;
  failedText: string;
  failedSilently: string;
  /** The console's page, not the service. */
  pageEnded: string;
  retry: string;
};

const en: StatusWords = {
  starting: 'Starting Gatehouse',
  doing: {
    begun: 'Step 1 of 3: the database is opened.',
    loaded: 'Step 2 of 3: the face models are opened.',
    opened: 'Step 3 of 3: each face model is tried once.',
  },
  patience: 'On a busy machine this can take minutes. You may close the app at any time.',
  restarting: 'Gatehouse is starting again',
  restartingText:
    'The service stopped without being asked to. Nothing that was confirmed is lost; checks go on in a moment.',
  failed: 'Gatehouse could not start',
  failedText: 'Mend what is said here, then try again. No data has been changed.',
  failedSilently:
    'The service ended without saying why. Try again, and look at its log if that does not help.',
  pageEnded: 'The page of the console ended again and again.',
  retry: 'Try again',
};

const es: StatusWords = {
  starting: 'Gatehouse se está iniciando',
  doing: {
    begun: 'Paso 1 de 3: se abre la base de datos.',
    loaded: 'Paso 2 de 3: se abren los modelos faciales.',
    opened: 'Paso 3 de 3: se prueba una vez cada modelo facial.',
  },
  patience:
    'En un equipo ocupado puede tardar unos minutos. Puede cerrar la aplicación en cualquier momento.',
  restarting: 'Gatehouse se está iniciando de nuevo',
  restartingText:
    'El servicio se detuvo sin que nadie lo pidiera. No se ha perdido nada de lo confirmado; las comprobaciones siguen en un momento.',
  failed: 'Gatehouse no pudo iniciarse',
  failedText: 'Corrija lo que se indica aquí y vuelva a intentarlo. No se ha modificado ningún dato.',
  failedSilently:
    'El servicio terminó sin decir por qué. Vuelva a intentarlo y, si no ayuda, consulte su registro.',
  pageEnded: 'La página de la consola se cerró una y otra vez.',
  retry: 'Volver a intentarlo',
};

const fr: StatusWords = {
  starting: 'Gatehouse démarre',
  doing: {
    begun: 'Étape 1 sur 3 : ouverture de la base de données.',
    loaded: 'Étape 2 sur 3 : ouverture des modèles de visage.',
    opened: 'Étape 3 sur 3 : chaque modèle de visage est essayé une fois.',
  },
  patience:
    'Sur une machine occupée, cela peut prendre quelques minutes. Vous pouvez fermer l’application à tout moment.',
  restarting: 'Gatehouse redémarre',
  restartingText:
    'Le service s’est arrêté sans qu’on le lui demande. Rien de ce qui a été confirmé n’est perdu ; les contrôles reprennent dans un instant.',
  failed: 'Gatehouse n’a pas pu démarrer',
  failedText: 'Corrigez ce qui est indiqué ici, puis réessayez. Aucune donnée n’a été modifiée.',
  failedSilently:
    'Le service s’est terminé sans dire pourquoi. Réessayez et, si cela n’aide pas, consultez son journal.',
  pageEnded: 'La page de la console s’est fermée à plusieurs reprises.',
  retry: 'Réessayer',
};

const de: StatusWords = {
  starting: 'Gatehouse startet',
  doing: {
    begun: 'Schritt 1 von 3: Die Datenbank wird geöffnet.',
    loaded: 'Schritt 2 von 3: Die Gesichtsmodelle werden geöffnet.',
    opened: 'Schritt 3 von 3: Jedes Gesichtsmodell wird einmal erprobt.',
  },
  patience:
    'Auf einem ausgelasteten Rechner kann das Minuten dauern. Sie können die App jederzeit schließen.',
  restarting: 'Gatehouse startet neu',
  restartingText:
    'Der Dienst ist unaufgefordert stehen geblieben. Nichts Bestätigtes ist verloren; gleich geht es weiter.',
  failed: 'Gatehouse konnte nicht starten',
  failedText: 'Beheben Sie, was hier steht, und versuchen Sie es erneut. An den Daten wurde nichts geändert.',
  failedSilently:
    'Der Dienst endete, ohne zu sagen, warum. Versuchen Sie es erneut; hilft das nicht, sehen Sie in sein Protokoll.',
  pageEnded: 'Die Seite der Konsole ist immer wieder beendet worden.',
  retry: 'Erneut versuchen',
};

const WORDS = { en, es, fr, de } as const;
export type StatusLanguage = keyof typeof WORDS;

export const statusWords = (language: StatusLanguage): StatusWords => WORDS[language];

/** The first of the system's languages (BCP 47, the most wanted first) that there are words in. */
export function statusLanguage(wanted: readonly string[]): StatusLanguage {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0] ?? '';
    if (isKnown(base)) return base;
  }
  return 'en';
}

const isKnown = (base: string): base is StatusLanguage => Object.hasOwn(WORDS, base);
