/** POST /v2/verification/create (contract, v2 rules 1 to 4; decisions §4.3 to §4.5). */
import { randomUUID } from 'node:crypto';
import type { CreateRequest, CreateResponse } from '../../contract/v2.ts';
import { isTestNumber, canonicalPhone } from '../../domain/identity.ts';
import type { Partition } from '../../domain/scope.ts';
import { upsertConnectUser } from '../../store/connections/connect-users.ts';
import { insertSession } from '../../store/runs/sessions.ts';
import type { Ports } from '../ports/ports.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import { newConnectUserId, sha256 } from '../ports/ids.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import type { Caller } from '../keys/keys.ts';
import { newSession } from '../runs/sessions/sessions.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { connectRunRequest, defaultVerification } from './run-request.ts';

/**
 * Registers a user and creates a run with its hosted link. With a phone, the link is a direct one, locked to the
 * number.
 * @throws Refusal `INVALID_REQUEST`
 */
export async function createVerification(
  { db, clock, connect, baseUrl }: Pick<Ports, 'db' | 'clock' | 'baseUrl'> & { connect: ConnectSigner },
  { scope, keyId, lineageId }: Caller,
  body: CreateRequest,
  keep: KeepReply<CreateResponse> | null = null,
): Promise<CreateResponse> {
  const externalId = body.external_id ?? randomUUID();
  const request = connectRunRequest({
    externalId,
    redirect: { field: 'redirect', url: body.redirect },
    pool: body.region,
  });
  const lockedPhone = body.phone === undefined ? null : readPhone(body.phone, scope.partition);
  const verification = await defaultVerification(db, scope.companyId);
  const now = clock.now();
  const created = newSession({
    scope,
    keyId,
    inviteId: null,
    verificationId: verification.id,
    request,
    now,
    generation: 'v2',
    lockedPhone,
  });
  const directToken = lockedPhone === null ? null : connect.mintDirectToken(created.id);
  const link =
    directToken === null
      ? `/connect?session_id=${created.id}`
      : `/connect/direct?session_id=${created.id}&t=${directToken}`;
  const reply = { verification_url: baseUrl() + link, external_id: externalId };
  await db.tx(async (tx) => {
    const user = await upsertConnectUser(tx, scope, {
      id: newConnectUserId(),
      keyLineageId: lineageId,
      generation: 'v2',
      referenceUserId: externalId,
      dataRequest: [],
      at: now,
    });
    const directTokenHash = directToken === null ? null : sha256(directToken);
    await insertSession(tx, { ...created, connectUserId: user.id, directTokenHash });
    await keep?.(tx, reply, created.id);
  }, scope);
  return reply;
}

/** A demo key accepts only test numbers. Everyone knows their codes, so they prove nothing to a production key. */
function readPhone(text: string, partition: Partition): string {
  const identity = canonicalPhone(text);
  if (!identity)
    throw new Refusal('INVALID_REQUEST', {
      message: 'phone: send a number with + and the country code (E.164), such as +4930123456.',
    });
  const isTest = isTestNumber(identity.identifier);
  if (partition === 'test' && !isTest) {
    throw new Refusal('INVALID_REQUEST', {
      message: 'phone: a demo key takes numbers of the test ranges only.',
    });
  }
  if (partition === 'live' && isTest) {
    throw new Refusal('INVALID_REQUEST', { message: 'phone: numbers of the test ranges are for demo keys.' });
  }
  return identity.identifier;
}
