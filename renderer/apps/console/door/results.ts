/** How staff see a run: name, colour and icon of its outcome. */
import { KIOSK_SILENT_AFTER_MS } from '../../../../server/contract/kiosk.ts';
import type { DoorResult, DoorRun } from '../../../../server/contract/console/door.ts';
import type { DoorMessages } from '../../../../locales/types/door.ts';
import type { OutcomesMessages } from '../../../../locales/types/outcomes.ts';
import type { Language } from '../../../i18n/language.ts';
import type { IconName } from '../shared/icons.tsx';
import type { Tone } from '../shared/states.tsx';
import { clockTime, timeInWords } from '../shared/time/time.ts';
import { letInText } from '../shared/let-in.ts';

type Outcome = { name: keyof OutcomesMessages['names']; tone: Tone; icon: IconName };

const OUTCOMES: Record<DoorResult, Outcome> = {
  passed: { name: 'approved', tone: 'passed', icon: 'check' },
  passed_again: { name: 'again', tone: 'passed', icon: 'check' },
  flagged: { name: 'flagged', tone: 'passed', icon: 'check' },
  already: { name: 'already', tone: 'look', icon: 'clock' },
  ask: { name: 'in_review', tone: 'look', icon: 'reviews' },
  turned_away: { name: 'denied', tone: 'refused', icon: 'cross' },
  declined: { name: 'declined', tone: 'quiet', icon: 'dash' },
  unfinished: { name: 'unfinished', tone: 'quiet', icon: 'dash' },
};

/** Nobody was denied by the check: the day's cap was used up. */
const isCapped = ({ reasons }: Pick<DoorRun, 'reasons'>): boolean => reasons.includes('usage_cap_exceeded');

/** Colour and icon of a result. A check that the cap refused is no denial of its guest. */
export const lookOf = (run: Pick<DoorRun, 'result' | 'reasons'>): Pick<Outcome, 'tone' | 'icon'> =>
  isCapped(run) ? { tone: 'look', icon: 'clock' } : OUTCOMES[run.result];

/**
 * The result to show large, and those below it: not a check that its guest left, nor, while a banner says that the cap
 * is reached, one that the cap refused.
 */
export function splitLatest(
  runs: readonly DoorRun[],
  isCapReached: boolean,
): { newest: DoorRun | undefined; before: DoorRun[] } {
  const newest = runs.find((run) => run.result !== 'unfinished' && !(isCapReached && isCapped(run)));
  return { newest, before: runs.filter((run) => run !== newest) };
}

/** A page that is read every thirty seconds and is older than this no longer hears the server. */
const STALE_MS = 40_000;

/**
 * Seconds since anybody heard from a kiosk, if it is longer than usual; else null. The server announces when it becomes so.
 * @param silentMs as the server said @param ageMs of its answer
 */
export function silentSeconds(silentMs: number | null, ageMs: number): number | null {
  const isSilent = (silentMs ?? 0) >= KIOSK_SILENT_AFTER_MS || ageMs > STALE_MS;
  return isSilent ? Math.floor(((silentMs ?? 0) + ageMs) / 1_000) : null;
}

/** Results whose guests are sent to staff. */
const CALLING: readonly DoorResult[] = ['ask', 'already', 'turned_away', 'declined'];

/** The results that a page has shown, and the newest of its first ones. */
export type SeenRuns = { keys: ReadonlySet<string>; since: string };

/**
 * The guests of `latest` (newest first) who need staff and whom the page has not shown before. Several may have come
 * since the page last refreshed, and not the newest of them need be one.
 * @param seen null at first, when nobody is called for
 */
export function callingFor(
  latest: readonly DoorRun[],
  seen: SeenRuns | null,
): { calling: DoorRun[]; seen: SeenRuns } {
  const since = seen?.since ?? latest[0]?.at ?? '';
  const keys = new Set([...(seen?.keys ?? []), ...latest.map(keyOf)]);
  const calling =
    seen === null
      ? []
      : latest.filter((run) => CALLING.includes(run.result) && run.at > since && !seen.keys.has(keyOf(run)));
  return { calling, seen: { keys, since } };
}

const keyOf = ({ session_id, at }: DoorRun): string => `${session_id} ${at}`;

const SAME_EVENING_MS = 16 * 3_600_000;

/** "Already checked in at 10:42 at North gate"; with the day if it was not today. "Let in by Ana: came back". */
export function headlineOf(
  { result, reasons, earlier, at, let_in: letIn }: DoorRun,
  words: DoorMessages,
  outcomes: OutcomesMessages,
  language: Language,
): string {
  if (letIn !== null) return letInText(letIn, outcomes);
  const { names, reasons: reasonNames } = outcomes;
  if (isCapped({ reasons })) return reasonNames.usage_cap_exceeded;
  if (earlier === null || (result !== 'already' && result !== 'passed_again'))
    return names[OUTCOMES[result].name];
  const runAt = Date.parse(at);
  const isRecent = runAt - Date.parse(earlier.at) < SAME_EVENING_MS;
  const time = isRecent ? clockTime(earlier.at, language) : timeInWords(earlier.at, runAt, language);
  if (result === 'already') {
    return earlier.kiosk_name === null
      ? words.alreadyAt({ time })
      : words.alreadyAtKiosk({ time, kiosk: earlier.kiosk_name });
  }
  return earlier.kiosk_name === null
    ? words.againAt({ time })
    : words.againAtKiosk({ time, kiosk: earlier.kiosk_name });
}

/** The kiosk's name, else the kind of device. */
export const placeOf = (
  { kiosk_name, device }: Pick<DoorRun, 'kiosk_name' | 'device'>,
  { devices }: OutcomesMessages,
): string => kiosk_name ?? (device === null ? '' : devices[device]);
