/** How long a last screen stays, and a button to leave it immediately. */
import { useKiosk } from '../context.ts';

export function Next({ leftS }: { leftS: number | null }) {
  const { kiosk, words } = useKiosk();
  return (
    <>
      <button type="button" className="button button--side" onClick={kiosk.reset}>
        {words.done}
      </button>
      {leftS !== null && <p className="next">{words.next({ seconds: leftS })}</p>}
    </>
  );
}
