import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Conflict } from '../../../../../server/contract/console/common.ts';
import { exactTime } from '../time/time.ts';
import { useCommonWords, useLanguage } from '../words.tsx';

export type Side = 'yours' | 'theirs';
export type Labels = Readonly<Record<string, string>>;

/** Both values of each field that somebody else has changed, and who did. The form's user keeps one. */
export function ConflictNotice({
  conflict,
  labels,
  show,
  sides,
  choose,
  isOverlooked,
}: {
  conflict: Conflict;
  labels: Labels;
  show?: (field: string, value: unknown) => string | undefined;
  sides: Readonly<Record<string, Side>>;
  choose: (field: string, side: Side) => void;
  /** Somebody tried to save without choosing. */
  isOverlooked: boolean;
}) {
  const { forms: words } = useCommonWords();
  const { language } = useLanguage();
  const notice = useRef<HTMLElement>(null);
  useEffect(() => {
    notice.current?.querySelector('button')?.focus();
  }, [conflict, isOverlooked]);
  const valueIn = (field: string, value: unknown) =>
    show?.(field, value) ?? inWords(value, { yes: words.yes, no: words.no, nothing: words.nothing });
  return (
    <section ref={notice} className="conflict" role="alert" aria-label={words.conflict}>
      <p>{words.conflictText}</p>
      {conflict.fields.map(({ field, yours, theirs, changed_by: who, changed_at: at }) => (
        <fieldset key={field} className="conflict__field">
          <legend>{labelOf(field, labels)}</legend>
          {who !== null && at !== null && (
            <p className="quiet">{words.changedBy({ who, time: exactTime(at, language) })}</p>
          )}
          <div className="conflict__sides">
            {(['yours', 'theirs'] as const).map((side) => (
              <Button
                key={side}
                variant={sides[field] === side ? 'filled' : 'default'}
                aria-pressed={sides[field] === side}
                onClick={() => choose(field, side)}
              >
                {words[side]({ value: valueIn(field, side === 'yours' ? yours : theirs) })}
              </Button>
            ))}
          </div>
        </fieldset>
      ))}
      {isOverlooked && <p className="error-line">{words.chooseFirst}</p>}
    </section>
  );
}

/** Options are named by their place below the field. */
function labelOf(field: string, labels: Labels): string {
  const [name = '', ...rest] = field.split('.');
  const whole = labels[field];
  if (whole !== undefined) return whole;
  return rest.length === 0 ? (labels[name] ?? name) : `${labels[name] ?? name} (${rest.join('.')})`;
}

type ValueWords = { yes: string; no: string; nothing: string };

export function inWords(value: unknown, words: ValueWords): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return words.nothing;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map((each) => inWords(each, words)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
