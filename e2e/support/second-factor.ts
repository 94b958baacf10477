/** An operator's authenticator app. */
import { Secret, TOTP } from 'otpauth';
import type { RecoveryCodes, SecondFactorEnrolment } from '../../server/contract/console/access.ts';
import type { Operator } from './console.ts';

export type Authenticator = {
  /** The code of the current time step, or of a later one. */
  code(stepsAhead?: number): string;
  recoveryCodes: readonly string[];
};

const STEP_MS = 30_000;

/** @param secret base32, with or without spaces */
export function codeOf(secret: string, stepsAhead = 0, nowMs = Date.now()): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')) });
  return totp.generate({ timestamp: nowMs + stepsAhead * STEP_MS });
}

/**
 * Sets up a second factor for a signed-in operator.
 * @param now of the server's clock
 */
export async function enrol(operator: Operator, now: () => number = Date.now): Promise<Authenticator> {
  const { secret } = await operator.ok<SecondFactorEnrolment>('/me/second-factor', {
    body: { passphrase: operator.passphrase },
  });
  const code = (stepsAhead = 0) => codeOf(secret, stepsAhead, now());
  const { codes } = await operator.ok<RecoveryCodes>('/me/second-factor/confirm', { body: { code: code() } });
  return { code, recoveryCodes: codes };
}
