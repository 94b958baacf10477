/** On duty: the camera or a scanner reads a ticket, the server decides, the outcome is shown. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Direction } from '../../../../server/contract/ticket-values.ts';
import type { ShiftStatus, TicketDecision } from '../../../../server/contract/tickets.ts';
import { timeOfDay } from '../../../i18n/language.ts';
import { followWedge } from '../../../ui/wedge.ts';
import { Screen } from '../Screen.tsx';
import { Camera } from './Camera.tsx';
import { Outcome } from './Outcome.tsx';
import type { Failure, ScanApi } from './scan-api.ts';
import { useScanWords } from './scan-words.ts';
import { Search } from './Search.tsx';
import { Button } from '../../../ui/Button.tsx';

type DutyProps = {
  api: ScanApi;
  status: ShiftStatus;
  failure: Failure | null;
  /** Null takes the last one back. */
  onFailure: (error: unknown) => void;
  /** The numbers have changed. */
  onChange: () => void;
  onLeave: () => void;
};

type Shown = Parameters<ScanApi['ticket']>[0];

export function Duty({ api, status, failure, onFailure, onChange, onLeave }: DutyProps) {
  const { scan: words } = useScanWords();
  const [direction, setDirection] = useState<Direction>('in');
  const [decision, setDecision] = useState<TicketDecision | null>(null);
  const isSupervisor = status.role === 'supervisor';
  const isAsking = useRef(false);
  /** The code that was read last, which may still be in front of the camera. */
  const last = useRef('');
  /** @returns whether there is an outcome; the camera asks again where nobody answered */
  const show = useCallback(
    async (shown: Shown): Promise<boolean> => {
      if (isAsking.current) return false;
      isAsking.current = true;
      try {
        const decided = await api.ticket(shown, direction);
        last.current = 'text' in shown ? shown.text : '';
        setDecision(decided);
        onFailure(null);
        onChange();
        return true;
      } catch (error) {
        onFailure(error);
        return false;
      } finally {
        isAsking.current = false;
      }
    },
    [api, direction, onFailure, onChange],
  );
  const typed = useEffectEvent((text: string) => void show({ text }));
  useEffect(() => followWedge((text) => typed(text)), []);
  const act = async (action: Promise<unknown>): Promise<boolean> => {
    try {
      await action;
      onFailure(null);
      onChange();
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    }
  };

  const bar = <Bar status={status} failure={failure} />;
  if (decision !== null)
    return (
      <div className="scan">
        {bar}
        <Outcome
          key={`${decision.ticket?.ticket_id} ${decision.entry} ${decision.why} ${decision.verdict}`}
          api={api}
          decision={decision}
          isSupervisor={isSupervisor}
          act={act}
          onDecision={setDecision}
          onNext={(forgets) => {
            if (forgets) last.current = '';
            setDecision(null);
          }}
        />
      </div>
    );
  return (
    <div className="scan">
      {bar}
      <Screen
        title={direction === 'in' ? words.duty.title : words.duty.titleOut}
        actions={
          <>
            {!isSupervisor && (
              <Button
                look="side"
                aria-pressed={status.has_called}
                onClick={() => void act(api.callSupervisor(!status.has_called))}
              >
                {status.has_called ? words.duty.callEnd : words.duty.call}
              </Button>
            )}
            <Button look="quiet" onClick={onLeave}>
              {words.duty.stop}
            </Button>
          </>
        }
      >
        {isSupervisor && (
          <fieldset className="scan__direction">
            <legend className="visually-hidden">{words.duty.direction}</legend>
            {(['in', 'out'] as const).map((way) => (
              <label key={way}>
                <input
                  type="radio"
                  name="direction"
                  checked={direction === way}
                  onChange={() => setDirection(way)}
                />
                <span>{words.duty[way]}</span>
              </label>
            ))}
          </fieldset>
        )}
        <Camera isNew={(text) => text !== last.current} onCode={(text) => show({ text })} />
        <TypedCode onCode={(text) => void show({ text })} />
        {isSupervisor && (
          <Search api={api} onFailure={onFailure} onChosen={(id) => void show({ ticket_id: id })} />
        )}
      </Screen>
    </div>
  );
}

/** What is the same whatever is scanned: the event, who is inside, who calls. */
function Bar({ status, failure }: Pick<DutyProps, 'status' | 'failure'>) {
  const { scan: words, language } = useScanWords();
  const { counts, calls, has_called: hasCalled } = status;
  return (
    <div className="scan__bar">
      <p>
        <strong>{status.event_name}</strong> {status.name} · {words.roles[status.role]}
      </p>
      <p data-inside={counts.inside}>
        {counts.most_inside === null
          ? words.duty.inside({ count: counts.inside })
          : words.duty.insideOf({ count: counts.inside, most: counts.most_inside })}
      </p>
      <div role="alert">
        {counts.is_full && <p className="scan__note scan__note--full">{words.duty.full}</p>}
        {failure !== null && <p className="scan__note scan__note--full">{words.failed[failure]}</p>}
      </div>
      <div role="status">
        {hasCalled && <p className="scan__note">{words.duty.called}</p>}
        {status.role === 'supervisor' &&
          calls.map(({ name, at }) => (
            <p key={`${name} ${at}`} className="scan__note">
              {words.duty.waits({ name, time: timeOfDay(at, language) })}
            </p>
          ))}
      </div>
    </div>
  );
}

/** For a code that no camera reads. */
function TypedCode({ onCode }: { onCode: (text: string) => void }) {
  const { duty } = useScanWords().scan;
  const [text, setText] = useState('');
  const send = (event: Pick<Event, 'preventDefault'>) => {
    event.preventDefault();
    if (text.trim() === '') return;
    onCode(text);
    setText('');
  };
  return (
    <form className="field field--row" onSubmit={send}>
      <label>
        <span>{duty.type}</span>
        <input
          name="ticket"
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <Button type="submit" look="side">
        {duty.check}
      </Button>
    </form>
  );
}
