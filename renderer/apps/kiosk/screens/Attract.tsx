/** The start screen: the event's name, the oval of the check with a slow figure in it, and one button a language. */
import { Oval } from '../../../capture/CaptureStage.tsx';
import { StepDrawing } from '../../../capture/StepDrawing.tsx';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { Icon } from '../../../ui/Icon.tsx';
import type { KioskEvent } from '../../../../server/contract/kiosk.ts';
import { useKiosk } from '../context.ts';

export function Attract({ event }: { event: KioskEvent }) {
  const { kiosk, words, language, loaded } = useKiosk();
  const others = event.languages.filter((code) => code !== language && loaded[code] !== undefined);
  const welcome = event.words[language]?.welcome;
  return (
    <section className="screen attract">
      <div className="screen__body">
        <h1 data-say>{event.name}</h1>
        {welcome !== undefined && welcome !== '' && (
          <p className="lead" data-say>
            {welcome}
          </p>
        )}
      </div>
      <div className="attract__mirror" aria-hidden="true">
        <Oval fraction={0.78} tone="idle" />
        <StepDrawing step="turn_left" isPlain />
      </div>
      <div className="screen__actions">
        <button
          type="button"
          className="button button--main attract__start"
          data-language={language}
          onClick={() => kiosk.touch('walk_up')}
        >
          <Icon name="hand" size={48} />
          <span data-say>{words.touchToStart}</span>
        </button>
        {others.length > 0 && (
          <div className="attract__languages">
            {others.map((code) => (
              <button
                key={code}
                type="button"
                lang={code}
                data-language={code}
                className="button button--side"
                onClick={() => kiosk.touch('walk_up', code)}
              >
                {LANGUAGE_NAMES[code]}
              </button>
            ))}
          </div>
        )}
        <button
          type="button"
          className="button button--quiet attract__scan"
          onClick={() => kiosk.touch('scan')}
        >
          <Icon name="code" size={36} />
          {words.haveCode}
        </button>
      </div>
    </section>
  );
}
