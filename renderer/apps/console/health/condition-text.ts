import { conditionText } from '../../../../server/contract/console/condition-text.ts';
import type { BackupErrorCode } from '../../../../server/contract/console/errors.ts';
import type { HealthCondition } from '../../../../server/contract/console/health.ts';
import { useCodeText } from '../shared/client/error-text.ts';
import { megabytes } from '../shared/megabytes.ts';
import { exactTime } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

/** What a condition is, in a sentence. */
export function useConditionText(): (condition: HealthCondition) => string {
  const { conditions: words } = useWords('health');
  const { language } = useLanguage();
  return (condition) =>
    conditionText(condition, words, {
      sizeOf: (bytes) => megabytes(bytes, language),
      timeOf: (iso) => exactTime(iso, language),
    });
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
