/** Told to a browser below the floor (`browserslist` in package.json), by a script that stands alone. */
import type { Language } from '../../server/contract/languages.ts';

export const FLOOR_WORDS: Record<Language, { title: string; text: string; advice: string }> = {
  en: {
    title: 'This browser is too old',
    text: 'Update it, or open this page in another browser or on another device.',
    advice: 'You need iOS 16.4, Chrome 110, Firefox 115, Samsung Internet 21 or newer.',
  },
  es: {
    title: 'Este navegador es demasiado antiguo',
    text: 'Actualícelo o abra esta página en otro navegador o en otro dispositivo.',
    advice: 'Necesita iOS 16.4, Chrome 110, Firefox 115, Samsung Internet 21 o una versión posterior.',
  },
  fr: {
    title: 'Ce navigateur est trop ancien',
    text: 'Mettez-le à jour ou ouvrez cette page dans un autre navigateur ou sur un autre appareil.',
    advice: 'Il faut au minimum iOS 16.4, Chrome 110, Firefox 115 ou Samsung Internet 21.',
  },
  de: {
    title: 'Dieser Browser ist zu alt',
    text: 'Aktualisieren Sie ihn oder öffnen Sie diese Seite in einem anderen Browser oder auf einem anderen Gerät.',
    advice: 'Sie brauchen mindestens iOS 16.4, Chrome 110, Firefox 115 oder Samsung Internet 21.',
  },
};
