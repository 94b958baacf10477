/** How long a last screen stays, and the way to leave it at once. */
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
