/** The remaining steps before a venue's first evening, for the checklist next to the door. */
import type { FirstSteps } from '../../contract/console/door.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { Scope } from '../../domain/scope.ts';
import { readFirstStepFacts } from '../../store/setup/first-steps.ts';
import { recoveryMadeAt } from '../backup/recovery-setting.ts';
import type { Ports } from '../ports.ts';

export async function readFirstSteps(
  { db, baseUrl }: Pick<Ports, 'db' | 'baseUrl'>,
  scope: Scope,
): Promise<FirstSteps> {
  const { hasEvent, hasKiosk, hasGuest, hasColleague } = await readFirstStepFacts(db, scope);
  return {
    event: hasEvent,
    kiosk: hasKiosk,
    guest: hasGuest,
    colleague: hasColleague,
    recovery: (await recoveryMadeAt(db)) !== null,
    network: !isLoopbackUrl(baseUrl()),
  };
}
