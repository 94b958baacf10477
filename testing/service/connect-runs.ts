/** Runs of v1 and v2 with test numbers and test faces, and the webhooks that their integrations get. */
import type { Snapshot } from '../../server/contract/flow.ts';
import type { CreateRequest } from '../../server/contract/v2.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../../server/contract/webhook-types.ts';
import { findConnectCaller, refuseKey } from '../../server/services/v1-v2/authenticate.ts';
import { createVerification } from '../../server/services/v1-v2/create.ts';
import { giveConsent, openSession } from '../../server/services/runs/flow.ts';
import type { Caller } from '../../server/services/keys/keys.ts';
import { confirmCode, requestCode } from '../../server/services/runs/phone-step.ts';
import { captureTestFace } from '../../server/services/capture/test-capture.ts';
import type { Session } from '../../server/store/runs/sessions.ts';
import { saveWebhookConfig } from '../../server/store/webhooks/configs.ts';
import { sessionOf } from './runs.ts';
import type { TestService } from './temp-service.ts';

/** A test number; its code is the last six digits. */
export const PHONE = '+999011234567';
const codeOf = (phone: string): string => phone.slice(-6);

export const demoCaller = (service: TestService): Promise<Caller> => callerOf(service, 'ak_test');

/** The integration with one of the company's API-KEYs. */
export async function callerOf(
  { deps, company, clock }: TestService,
  kind: 'ak_test' | 'ak_live',
): Promise<Caller> {
  const key = company.keys[kind];
  const caller = await findConnectCaller(deps.db, key, clock.now());
  if (!caller) throw refuseKey(key);
  return caller;
}

/** Subscribes the demo key to every webhook type; these tests send nothing. */
export async function listen(service: TestService): Promise<void> {
  const { scope, lineageId } = await demoCaller(service);
  await service.deps.db.tx(async (tx) => {
    for (const type of WEBHOOK_TYPES) {
      await saveWebhookConfig(tx, scope, {
        id: type,
        lineageId,
        type,
        destinationUrl: 'https://receiver.example/hook',
        changedAt: service.clock.now(),
      });
    }
  });
}

/** The events queued for the integration, each with its user, in order. */
export async function reportedEvents({ deps }: TestService): Promise<[WebhookType, string][]> {
  const rows = await deps.db.all<{ transactionId: string; body: Uint8Array }>(
    'SELECT transaction_id AS transactionId, body FROM webhook_calls ORDER BY seq',
  );
  return rows.map((row) => {
    const body = deps.db.secrets.open('webhook_calls.body', [row.transactionId], row.body);
    const call = JSON.parse(Buffer.from(body).toString()) as { type: WebhookType; reference_user_id: string };
    return [call.type, call.reference_user_id];
  });
}

/**
 * A new v2 run.
 * @returns the session's ID, and `t` if the link is a direct one
 */
export async function createRun(
  service: TestService,
  body: CreateRequest,
): Promise<{ id: string; t: string | undefined }> {
  const { verification_url: link } = await createVerification(service.deps, await demoCaller(service), body);
  const query = new URL(link).searchParams;
  return { id: query.get('session_id') ?? '', t: query.get('t') ?? undefined };
}

/** A v2 run with a landing link, past consent and phone; settled if the number identifies the person. */
export async function startConnected(
  service: TestService,
  body: CreateRequest,
  phone = PHONE,
): Promise<Session> {
  const { deps } = service;
  const { id } = await createRun(service, body);
  await openSession(deps, id, { device: 'mobile' }, null);
  await giveConsent(deps, await sessionOf(service, id), { accepted: true });
  await requestCode(deps, await sessionOf(service, id), phone);
  await confirmCode(deps, await sessionOf(service, id), codeOf(phone));
  return sessionOf(service, id);
}

/** A complete v2 run with a camera check. */
export async function runConnected(
  service: TestService,
  face: string,
  body: CreateRequest,
  phone = PHONE,
): Promise<Snapshot> {
  return captureTestFace(service.deps, await startConnected(service, body, phone), face);
}
