/** The first screen: the event's name, the oval of the check with a slow figure in it, and one button per language. */
import { Oval } from '../../../capture/Oval.tsx';
import { StepDrawing } from '../../../capture/StepDrawing.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import type { KioskEvent, KioskLanguage } from '../../../../server/contract/kiosk.ts';
import { useKiosk } from '../context.ts';
import { Languages } from '../parts/Frame.tsx';
import { useFocusedHeading } from '../parts/Screen.tsx';

/** The organiser's welcome in the event's other languages. */
export const otherWelcomes = (
  { languages, words }: Pick<KioskEvent, 'languages' | 'words'>,
  shown: KioskLanguage,
): (readonly [KioskLanguage, string])[] =>
  languages.flatMap((code) => {
    const text = words[code]?.welcome ?? '';
    return code === shown || text === '' ? [] : [[code, text] as const];
  });

export function Attract({ event }: { event: KioskEvent }) {
  const { kiosk, words, language } = useKiosk();
  const heading = useFocusedHeading(event.name);
  const welcome = event.words[language]?.welcome;
  // A touch on another language begins the check, so its welcome is read here or never.
  const others = otherWelcomes(event, language);
  return (
    <section className="screen attract">
      <div className="screen__body">
        <h1 ref={heading} tabIndex={-1} data-say>
          {event.name}
        </h1>
        {welcome !== undefined && welcome !== '' && (
          <p className="lead" data-say>
            {welcome}
          </p>
        )}
        {others.map(([code, text]) => (
          <p key={code} className="attract__other" lang={code}>
            {text}
          </p>
        ))}
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
        <Languages
          languages={event.languages}
          look="side"
          className="attract__languages"
          onChoose={(code) => kiosk.touch('walk_up', code)}
        />
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
