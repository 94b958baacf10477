import type { ConsoleVerification } from '../../../../server/contract/console/verifications.ts';

/** What its owner would call it: their id, else where people come from; null where neither is set. */
export const verificationName = ({
  external_id,
  origin,
}: Pick<ConsoleVerification, 'external_id' | 'origin'>): string | null => external_id ?? origin;
