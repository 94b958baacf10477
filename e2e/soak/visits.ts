/**
 * Complete visits over each generation's interface. Everything that the server acknowledges is recorded in the ledger.
 */
import { call, create, status } from '../support/connect.ts';
import { sendOk } from '../support/http.ts';
import { confirmation, initialize } from '../support/run.ts';
import type { GetStatusResponse, RegisterResponse } from '../../server/contract/v1.ts';
import { patiently, type Venue } from './venue.ts';
import type { Guest } from './guest.ts';
import { open, walk } from './walk.ts';

/** One guest, from the organiser's first call to the last. Faults are recorded, never thrown. */
export async function visit(venue: Venue, guest: Guest): Promise<void> {
  try {
    if (guest.kind === 'v2') await visitV2(venue, guest);
    else if (guest.kind === 'v1') await visitV1(venue, guest);
    else if (guest.kind === 'v3_twice') await visitTwice(venue, guest);
    else await visitV3(venue, guest);
  } catch (error) {
    venue.ledger.faults.push(`${guest.kind} ${guest.name}: ${String(error)}`);
  }
}

/** One face with two accounts in one pool, at the same time. The end of the soak counts how often it was let in. */
async function visitTwice(venue: Venue, guest: Guest): Promise<void> {
  const accounts = [guest.name, `${guest.name}-again`];
  await Promise.all(accounts.map((account) => visitV3(venue, guest, account)));
}

async function visitV3(venue: Venue, guest: Guest, account = guest.name): Promise<void> {
  const { gatehouse, ledger } = venue;
  const { sk_live: live, sk_test: test } = gatehouse.company.keys;
  const key = guest.kind === 'v3_camera' ? live : test;
  // A separate pool, because the few people at the camera would otherwise be recognised.
  const request = { external_id: account, group: guest.name };
  const { session_id: id } = await patiently(venue, () => initialize(gatehouse, key, request));
  ledger.sessions.add(id);
  if (guest.kind === 'v3_no_show') return;
  const run = await open(venue, `/flow/sessions/${id}`, guest);
  const { state, result } = await walk(venue, run, guest);
  if (!result) throw new Error(`The run ${id} ended ${state}, without a result.`);
  const reported = await patiently(venue, () => confirmation(gatehouse, key, result.vyt));
  const isLocked = guest.isLocked && reported.verified;
  if (isLocked) {
    const lock = `${gatehouse.baseUrl}/v3/confirmations/${result.vyt}/lock`;
    await patiently(venue, () => sendOk(lock, { method: 'POST', key }));
  }
  ledger.verdicts.push({
    sessionId: id,
    key,
    vyt: result.vyt,
    settledAtMs: Date.parse(reported.confirmed_at),
    status: reported.status,
    reasons: reported.reasons,
    locked: isLocked || reported.locked,
  });
}

async function visitV2(venue: Venue, guest: Guest): Promise<void> {
  const { gatehouse, ledger } = venue;
  const key = gatehouse.company.keys.ak_test;
  const { verification_url: url } = await patiently(venue, () =>
    create(gatehouse, key, { external_id: guest.name }),
  );
  const id = new URL(url).searchParams.get('session_id') ?? '';
  ledger.sessions.add(id);
  const { result } = await walk(venue, await open(venue, `/flow/sessions/${id}`, guest), guest);
  if (!result?.verified) throw new Error(`The run ${id} was not approved.`);
  ledger.approvals.add(guest.name);
  const told = await patiently(venue, () => status(gatehouse, key, { external_id: guest.name }));
  if (!told.verification_complete) throw new Error(`v2 does not know of the approval of ${guest.name}.`);
}

async function visitV1(venue: Venue, guest: Guest): Promise<void> {
  const { gatehouse, ledger } = venue;
  const key = gatehouse.company.keys.ak_test;
  const user = { reference_user_id: guest.name };
  const ask = <T>(operation: string) =>
    patiently(venue, () => call<T>(gatehouse, key, `/v1/business_connect_user/${operation}`, user));
  const { invite_url: invite } = await ask<RegisterResponse>('register');
  const code = new URL(invite).pathname.split('/').at(-1) ?? '';
  const run = await open(venue, `/flow/invites/${code}`, guest);
  ledger.sessions.add(run.sessionId);
  const { result } = await walk(venue, run, guest);
  if (!result?.verified) throw new Error(`The run ${run.sessionId} was not approved.`);
  ledger.approvals.add(guest.name);
  const told = await ask<GetStatusResponse>('get_status');
  if (!told.has_connection) throw new Error(`v1 does not know of the approval of ${guest.name}.`);
}
