/** Complete runs of test faces, from initialize to the verdict. */
import type { Snapshot } from '../../server/contract/flow.ts';
import type { InitializeRequest } from '../../server/contract/v3.ts';
import { giveConsent } from '../../server/services/runs/flow.ts';
import { initialize } from '../../server/services/runs/initialize.ts';
import { captureTestFace } from '../../server/services/capture/test-capture.ts';
import { findPass, type Pass } from '../../server/store/passes/passes.ts';
import { findSession, type Session } from '../../server/store/runs/sessions.ts';
import type { TestService } from './temp-service.ts';

/** A test session past its consent. */
export async function startRun(service: TestService, body: InitializeRequest = {}): Promise<Session> {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), body);
  const opened = await sessionOf(service, id ?? '');
  await giveConsent(deps, opened, { accepted: true });
  return sessionOf(service, opened.id);
}

/** One complete run of a test face. */
export async function run(
  service: TestService,
  face: string,
  body: InitializeRequest = {},
): Promise<Snapshot> {
  return captureTestFace(service.deps, await startRun(service, body), face);
}

export async function sessionOf({ deps }: TestService, id: string): Promise<Session> {
  const session = await findSession(deps.db, id);
  if (!session) throw new Error(`There is no session ${id}.`);
  return session;
}

/** The pass of a run. */
export async function passOf(service: TestService, snapshot: Snapshot): Promise<Pass> {
  const { passId } = await sessionOf(service, snapshot.session_id);
  const pass = await findPass(service.deps.db, service.scope('test'), passId ?? '');
  if (!pass) throw new Error('The run has no pass.');
  return pass;
}

export const NO_SKIP = { config: { skip: { window_hours: 0 } } };

// Live sessions of a secret key whose next step is the phone.

const VERIFICATION_ID = '01a1fd74-0fe9-71f1-a527-419a33965f8d';

export async function liveSessionAtPhone(service: TestService): Promise<Session> {
  await service.verification(VERIFICATION_ID, { config: { phone: { required: true } } });
  const caller = await service.caller('sk_live');
  const { session_id: id } = await initialize(service.deps, caller, { verification_id: VERIFICATION_ID });
  await giveConsent(service.deps, await sessionOf(service, id ?? ''), { accepted: true });
  return sessionOf(service, id ?? '');
}
