import { ErrorLine } from '../shared/states.tsx';
import { clockTime } from '../shared/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import type { useDoorCodes } from './use-door.ts';

/** Phone codes to read out; used codes are removed. */
export function CodesPanel({ codes: { data, error } }: { codes: ReturnType<typeof useDoorCodes> }) {
  const { codes: words } = useWords('door');
  const { language } = useLanguage();
  const items = data?.items ?? [];
  return (
    <section className="panel" aria-labelledby="door-codes">
      <h2 id="door-codes">{words.title}</h2>
      {data === undefined && <ErrorLine error={error} />}
      {data?.read_out === false && <p className="quiet">{words.sent}</p>}
      <div aria-live="polite">
        {items.length > 0 && (
          <ul className="door-list">
            {items.map(({ code_id, number, code, ends_at }) => (
              <li key={code_id} className="door-list__row">
                <span className="code-to-read">{`${code.slice(0, 3)} ${code.slice(3)}`}</span>
                <div className="door-list__end quiet">
                  <span>{number}</span>
                  <span>{words.until({ time: clockTime(ends_at, language) })}</span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {data !== undefined && items.length === 0 && <p className="quiet">{words.none}</p>}
    </section>
  );
}
