/** Plays a recorded live capture again, event by event, at its own times. */
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import {
  advanceCapture,
  beginCapture,
  type ExchangeEffect,
  type ExchangeEvent,
} from '../../../server/domain/capture/exchange/exchange.ts';
import { judgeExchange } from '../../../server/domain/capture/exchange/judgement.ts';
import { needsAttackScore, type ExchangeState } from '../../../server/domain/capture/exchange/state.ts';
import type { RecordedEvent, Recording } from '../../../server/domain/capture/recording.ts';
import { drawUntil, requestsIn, shownAs, type Played, type Playing } from '../play.ts';

/**
 * Under the rules that it was recorded with, the verdict is the same, because the models measure the stills as they did.
 * @returns null if the rules ask for something else now: the recording has no answer to that at that time
 */
export async function replay(
  { capture, stills }: Pick<Recording, 'capture' | 'stills'>,
  measure: Playing['measure'],
): Promise<Played | null> {
  const { events, requests } = capture;
  // Today's thresholds judge it, as they judge clips.
  const plan = { ...capture.plan, attackThresholds: undefined };
  const first = requests.find((one) => one.ask === 'step')?.step;
  const wasAsked = ({ id, ask, tint, step, then }: CaptureRequest) => {
    const recorded = requests[id - 1];
    return (
      recorded?.ask === ask &&
      recorded.tint === tint &&
      recorded.step === step &&
      (then === undefined || then === first)
    );
  };
  const fits = (effects: readonly ExchangeEffect[]) => requestsIn(effects).every(wasAsked);
  const eventOf = async (event: RecordedEvent, state: ExchangeState): Promise<ExchangeEvent> => {
    if (event.type !== 'judged') return event;
    const { seq } = event;
    const jpeg = stills.get(seq);
    const evidence = jpeg && (await measure(shownAs(jpeg), needsAttackScore(state, seq) ? 'rest' : 'step'));
    return evidence ? { type: 'judged', seq, evidence } : { type: 'unreadable', seq };
  };

  let advanced = drawUntil(fits, 'begin', (random) => beginCapture(plan, { nowMs: 0, random }));
  for (const [place, { atMs, event: recorded }] of events.entries()) {
    if (!advanced) return null;
    const { state } = advanced;
    const event = await eventOf(recorded, state);
    advanced = drawUntil(fits, `${place}`, (random) => advanceCapture(state, event, { nowMs: atMs, random }));
    const end = advanced?.effects.find(({ type }) => type === 'settle' || type === 'end');
    if (!advanced || !end) continue;
    const verdict = end.type === 'settle' ? judgeExchange(advanced.state) : null;
    return { verdict, hasRunOut: false, state: advanced.state };
  }
  return null;
}
