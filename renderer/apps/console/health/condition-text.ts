import type { Catalogues } from '../../../../locales/types/index.ts';
import type { BackupErrorCode } from '../../../../server/contract/console/errors.ts';
import type { HealthCondition } from '../../../../server/contract/console/health.ts';
import type { Language } from '../../../i18n/language.ts';
import { useCodeText } from '../shared/client/error-text.ts';
import { megabytes } from '../shared/megabytes.ts';
import { exactTime } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

type Words = Catalogues['health']['conditions'];

/** What a condition is, in a sentence. */
export function useConditionText(): (condition: HealthCondition) => string {
  const { conditions: words } = useWords('health');
  const { language } = useLanguage();
  return (condition) => whatOf(condition, words, language);
}

/** What to do about a condition, after the reason if there is one in words. */
export function useTodoText(): (condition: HealthCondition) => string {
  const { conditions: words } = useWords('health');
  const textOf = useCodeText();
  return ({ code, why }) =>
    code === 'backup_failed'
      ? `${textOf((why ?? 'backup_failed') as BackupErrorCode)} ${words[code].todo}`
      : words[code].todo;
}

function whatOf(
  { code, at, count, bytes, place, why }: HealthCondition,
  words: Words,
  language: Language,
): string {
  switch (code) {
    case 'disk_full':
    case 'disk_low':
      return words[code].what({ place: place ?? 'data', free: megabytes(bytes ?? 0, language) });
    case 'certificate_ended':
    case 'certificate_ending':
      return words[code].what({ time: at === null ? '' : exactTime(at, language) });
    case 'retention_put_off':
      return words[code].what({ why: why ?? '' });
    case 'time_ahead':
    case 'sms_failing':
    case 'webhooks_stopped':
    case 'webhooks_waiting':
      return words[code].what({ count: count ?? 0 });
    case 'storage_damaged':
    case 'storage_not_writable':
    case 'face_engine_unavailable':
    case 'log_damaged':
    case 'backup_failed':
    case 'backup_old':
    case 'network_failed':
    case 'key_in_file':
      return words[code].what;
  }
}
