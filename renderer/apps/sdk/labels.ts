/** The few words that stand outside the hosted page, in its languages; it says which one once it is there. */
export type Labels = { view: string; close: string };

const LABELS: Record<string, Labels> = {
  en: { view: 'Face check', close: 'Close' },
  es: { view: 'Comprobación facial', close: 'Cerrar' },
  fr: { view: 'Contrôle du visage', close: 'Fermer' },
  de: { view: 'Gesichtsprüfung', close: 'Schließen' },
};
const ENGLISH: Labels = { view: 'Face check', close: 'Close' };

/** @param languages in order of preference */
export function labelsFor(languages: readonly string[]): Labels {
  for (const language of languages) {
    const labels = LABELS[language.toLowerCase().split('-')[0] ?? ''];
    if (labels) return labels;
  }
  return ENGLISH;
}
