import type { ConsoleVerification } from '../../../../server/contract/console/verifications.ts';

/** The name that its owner would use: their ID, else the origin; null if neither is set. */
export const verificationName = ({
  external_id,
  origin,
}: Pick<ConsoleVerification, 'external_id' | 'origin'>): string | null => external_id ?? origin;
