/** Runs in review, created as customers and guests do. */
import type { InitializeRequest } from '../../server/contract/v3.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { attempt, consentedRun } from './run.ts';
import type { Gatehouse } from './service/server.ts';

/** From now on the company's doubtful runs go to review. */
export async function sendToReview(gatehouse: Gatehouse): Promise<void> {
  const { company_id: company, default_verification_id: id } = gatehouse.company;
  const config = JSON.stringify({ collision: { action: 'review' }, skip: { window_hours: 0 } });
  await gatehouse.cli(['verification', 'update'], { company, verification: id, config });
}

/** One run of a test face. */
export async function testRun(
  gatehouse: Gatehouse,
  face: string,
  request: InitializeRequest = {},
): Promise<void> {
  const run = await consentedRun(gatehouse, gatehouse.company.keys.sk_test, request);
  const { status } = await run.flow('/test-capture', { face });
  if (status !== 200) throw new Error(`The test face was answered with ${status}.`);
}

/** A test face that has passed returns, once for each account. */
export async function openTestCases(
  gatehouse: Gatehouse,
  face: string,
  accounts: readonly string[],
  request: InitializeRequest = {},
): Promise<void> {
  await testRun(gatehouse, face, { external_id: `${face}-first`, ...request });
  for (const external_id of accounts) await testRun(gatehouse, face, { external_id, ...request });
}

/** A person passes at a camera and returns with other accounts. */
export async function openLiveCases(
  gatehouse: Gatehouse,
  person: Clips,
  requests: readonly InitializeRequest[],
): Promise<void> {
  for (const request of requests) {
    await attempt(await consentedRun(gatehouse, gatehouse.company.keys.sk_live, request), person);
  }
}
