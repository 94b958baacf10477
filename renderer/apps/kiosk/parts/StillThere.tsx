/** Asks before the kiosk starts over, so that slow readers keep their progress. */
import { useEffect, useRef } from 'react';
import { useKiosk } from '../context.ts';

export function StillThere({ leftS }: { leftS: number }) {
  const { words, poke, say } = useKiosk();
  const dialog = useRef<HTMLDialogElement>(null);
  const { title, text, stay } = words.stillThere;
  useEffect(() => {
    dialog.current?.showModal();
    say(title);
  }, [say, title]);
  return (
    <dialog ref={dialog} className="still-there" aria-labelledby="still-there" onCancel={poke}>
      <h2 id="still-there">{title}</h2>
      <p className="lead">{text({ seconds: leftS })}</p>
      <button type="button" className="button button--main" autoFocus onClick={poke}>
        {stay}
      </button>
    </dialog>
  );
}
