/** A button for each of the event's other languages, in its own name. */
import type { KioskLanguage } from '../../../../server/contract/kiosk.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { useKiosk } from '../context.ts';

export type LanguagesProps = {
  /** Of the event. */
  languages: readonly KioskLanguage[];
  look: 'side' | 'quiet';
  className: string;
  onChoose: (language: KioskLanguage) => void;
};

export function Languages({ languages, look, className, onChoose }: LanguagesProps) {
  const { language, loaded } = useKiosk();
  const others = languages.filter((code) => code !== language && loaded[code] !== undefined);
  if (others.length === 0) return null;
  return (
    <div className={className}>
      {others.map((code) => (
        <button
          key={code}
          type="button"
          lang={code}
          data-language={code}
          className={`button button--${look}`}
          onClick={() => onChoose(code)}
        >
          {LANGUAGE_NAMES[code]}
        </button>
      ))}
    </div>
  );
}
