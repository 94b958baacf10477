import type {
  ConsoleVerification,
  VerificationLabel,
} from '../../../../server/contract/console/verifications.ts';
import { dayAndTime } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

type Named = Pick<VerificationLabel, 'label' | 'is_default' | 'created_at'>;

/** The name that its owner would use: their ID, else the origin; without either, the default one or its time. */
export function useVerificationName(): (verification: Named) => string {
  const words = useWords('verifications');
  const { language } = useLanguage();
  return ({ label, is_default, created_at }) =>
    label ?? (is_default ? words.defaultName : words.unnamed({ time: dayAndTime(created_at, language) }));
}

export const labelled = ({ external_id, origin, ...rest }: ConsoleVerification): Named => ({
  ...rest,
  label: external_id ?? origin,
});
