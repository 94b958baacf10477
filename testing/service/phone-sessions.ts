/** Live sessions of a secret key whose next step is the phone. */
import { giveConsent } from '../../server/services/runs/flow.ts';
import { initialize } from '../../server/services/runs/initialize.ts';
import type { Session } from '../../server/store/runs/sessions.ts';
import { sessionOf } from './runs.ts';
import type { TestService } from './temp-service.ts';

const VERIFICATION_ID = '01a1fd74-0fe9-71f1-a527-419a33965f8d';

export async function liveSessionAtPhone(service: TestService): Promise<Session> {
  await service.verification(VERIFICATION_ID, { config: { phone: { required: true } } });
  const caller = await service.caller('sk_live');
  const { session_id: id } = await initialize(service.deps, caller, { verification_id: VERIFICATION_ID });
  await giveConsent(service.deps, await sessionOf(service, id ?? ''), { accepted: true });
  return sessionOf(service, id ?? '');
}
