/** What a run means to staff, in words and colour. */
import { messageFor } from '../../../i18n/catalogues.ts';
import type { DoorResult, DoorRun } from '../../../../server/contract/console/door.ts';
import type { DoorMessages } from '../../../../locales/types/door.ts';
import type { Language } from '../../../i18n/language.ts';
import type { IconName } from '../shared/icons.tsx';
import type { Tone } from '../shared/states.tsx';
import { clockTime, timeInWords } from '../shared/time.ts';

export const RESULT_LOOKS: Record<DoorResult, { tone: Tone; icon: IconName }> = {
  passed: { tone: 'passed', icon: 'check' },
  passed_again: { tone: 'passed', icon: 'check' },
  flagged: { tone: 'passed', icon: 'check' },
  already: { tone: 'look', icon: 'clock' },
  ask: { tone: 'look', icon: 'reviews' },
  turned_away: { tone: 'refused', icon: 'cross' },
  declined: { tone: 'quiet', icon: 'dash' },
  unfinished: { tone: 'quiet', icon: 'dash' },
};

const SAME_EVENING_MS = 16 * 3_600_000;

/** "Already through at 10:42 at North gate"; an earlier day is named. */
export function headlineOf(
  { result, earlier, at }: DoorRun,
  words: DoorMessages,
  language: Language,
): string {
  if (earlier === null || (result !== 'already' && result !== 'passed_again')) return words.results[result];
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

/** Why, for staff; a reason that has no words yet is shown by its name. */
export const reasonsInWords = (reasons: readonly string[], words: DoorMessages): string =>
  reasons.map((reason) => messageFor(words.reasons, reason) ?? reason).join(' · ');

/** The kiosk's name, else the kind of device. */
export const placeOf = (
  { kiosk_name, device }: Pick<DoorRun, 'kiosk_name' | 'device'>,
  words: DoorMessages,
): string => kiosk_name ?? (device === null ? '' : words.devices[device]);
