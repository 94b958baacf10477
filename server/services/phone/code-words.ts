/** The message that brings a code, in the languages that the product speaks, as the pages address people. */
import type { Language } from '../../contract/languages.ts';

/** Each fits into one SMS, also where its letters make the phone network count to 70 instead of 160. */
export const CODE_MESSAGES: Readonly<Record<Language, (code: string) => string>> = {
  en: (code) => `Your verification code is ${code}. It is good for 10 minutes.`,
  es: (code) => `Su código de verificación es ${code}. Vale durante 10 minutos.`,
  fr: (code) => `Votre code de vérification est ${code}. Valable 10 minutes.`,
  de: (code) => `Ihr Bestätigungscode ist ${code}. Er gilt 10 Minuten.`,
};
