/** Quiet, until somebody comes: the event's name, a slow figure that shows what will be asked, where to touch. */
import { StepDrawing } from '../../../capture/StepDrawing.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import type { KioskEvent } from '../../../../server/contract/kiosk.ts';
import { useKiosk } from '../context.ts';

/** More languages than this would be a wall of words; the next screen has them all. */
const MAX_OTHERS = 3;

export function Attract({ event }: { event: KioskEvent }) {
  const { kiosk, words, language, loaded } = useKiosk();
  const others = event.languages.filter((code) => code !== language).slice(0, MAX_OTHERS);
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
        <div className="attract__figure" aria-hidden="true">
          <StepDrawing step="turn_left" />
        </div>
      </div>
      <div className="screen__actions">
        <button
          type="button"
          className="button button--main attract__start"
          onClick={() => kiosk.touch('walk_up')}
        >
          <Icon name="hand" size={48} />
          <span className="attract__words">
            <span data-say>{words.touchToStart}</span>
            {others.map((code) => (
              <span key={code} lang={code} className="attract__other">
                {loaded[code]?.kiosk.touchToStart}
              </span>
            ))}
          </span>
        </button>
        <button
          type="button"
          className="button button--side attract__scan"
          onClick={() => kiosk.touch('scan')}
        >
          <Icon name="code" size={36} />
          {words.haveCode}
        </button>
      </div>
    </section>
  );
}
