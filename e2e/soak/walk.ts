/** A person's way through a run: follows the server's steps until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { personBefore } from '../../testing/camera/capture/capture.ts';
import { sendOk } from '../support/http.ts';
import { follow, type Run, runOf } from '../support/run.ts';
import type { OpenResponse, Snapshot } from '../../server/contract/flow.ts';
import { patiently, sitOut, type Venue } from './venue.ts';
import type { Guest } from './guest.ts';

/** Steps, attempts and outages of the longest way; more mean an endless loop. */
const MOST_TURNS = 30;
const CHECKING_MS = 250;
/** Already done by a call whose answer was lost; too early; the server is busy. */
const ASKED_AGAIN = new Set([409, 429, 503]);
const CODE_DIGITS = 6;
/** Refusals of a capture after which the state of the run can be queried. */
const ASKED_AGAIN_LIVE = new Set([
  'engine_busy',
  'engine_failed',
  'too_many_captures',
  'wrong_step',
  'session_settled',
]);

/** Opens a session or an invite as a phone does, which can prove after an outage that it opened it. */
export async function open(venue: Venue, path: string, guest: Guest): Promise<Run> {
  const { gatehouse } = venue;
  const body = { device: 'mobile', resume_key: `soak-resume-key-${guest.name}` };
  const url = gatehouse.baseUrl + path;
  const { flow_token: flowToken, snapshot } = await patiently(venue, () =>
    sendOk<OpenResponse>(`${url}/open`, { body }),
  );
  return runOf(gatehouse, { sessionId: snapshot.session_id, url, flowToken });
}

/**
 * @returns how the run ended
 * @throws if an answer is not allowed
 */
export async function walk(venue: Venue, run: Run, guest: Guest): Promise<Snapshot> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const snapshot = await patiently(venue, () => run.snapshot());
    if (snapshot.state === 'checking') await sleep(CHECKING_MS);
    else if (snapshot.state !== 'open') return snapshot;
    // After an outage the snapshot shows whether the step was taken before it.
    else await takeStep(venue, run, snapshot, guest).catch((error: unknown) => sitOut(venue, error));
  }
  throw new Error(`${guest.name}: the run ${run.sessionId} does not come to an end.`);
}

async function takeStep(venue: Venue, run: Run, snapshot: Snapshot, guest: Guest): Promise<void> {
  switch (snapshot.step) {
    case 'consent':
      return say(run, '/consent', { accepted: true });
    case 'phone':
      if ((snapshot.phone?.code_sent_at ?? null) === null) await say(run, '/phone', { phone: guest.phone });
      return say(run, '/phone/confirm', { code: guest.phone.slice(-CODE_DIGITS) });
    case 'capture':
      return guest.kind === 'v3_camera'
        ? beforeTheCamera(venue, run)
        : say(run, '/test-capture', { face: guest.name });
    case 'result':
      return;
  }
}

async function say(run: Run, path: string, body: object): Promise<void> {
  const { status, body: answer } = await run.flow<unknown>(path, body);
  await judge(status, path, answer);
}

async function beforeTheCamera({ ledger, people }: Venue, run: Run): Promise<void> {
  const person = people[ledger.captures % people.length];
  if (!person) throw new Error('Nobody was rendered for the camera.');
  const last = await follow(run, personBefore(person));
  if (last?.type === 'verdict') ledger.captures += 1;
  // A capture that ended otherwise is started again, if the run still needs one.
  else if (last?.type === 'error' && !ASKED_AGAIN_LIVE.has(last.code))
    throw new Error(`The capture ended with ${JSON.stringify(last)}.`);
  else await sleep(CHECKING_MS);
}

async function judge(status: number, path: string, answer: unknown): Promise<void> {
  if (status === 200) return;
  if (!ASKED_AGAIN.has(status)) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
  await sleep(CHECKING_MS);
}
