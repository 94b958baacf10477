/** The event's languages, each by its own name. */
import type { KioskLanguage } from '../../../../server/contract/kiosk.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';

export function LanguageChoice({ languages }: { languages: readonly KioskLanguage[] }) {
  const { kiosk, words, loaded } = useKiosk();
  const ready = languages.filter((code) => loaded[code] !== undefined);
  return (
    <Screen
      title={words.chooseLanguage}
      actions={
        <>
          <div className="languages">
            {ready.map((code) => (
              <button
                key={code}
                type="button"
                lang={code}
                data-language={code}
                className="button button--main"
                onClick={() => kiosk.chooseLanguage(code)}
              >
                {LANGUAGE_NAMES[code]}
              </button>
            ))}
          </div>
          <button type="button" className="button button--quiet" onClick={kiosk.reset}>
            {words.back}
          </button>
        </>
      }
    />
  );
}
