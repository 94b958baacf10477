/** One row in each table that has a secret column, written by the store as the services write it. */
import { randomBytes } from 'node:crypto';
import { keepReply } from '../../server/store/keys/idempotency.ts';
import { insertSigningKey } from '../../server/store/keys/signing-keys.ts';
import { insertFaceRows } from '../../server/store/matching/face-rows.ts';
import { insertDayKey } from '../../server/store/matching/seen-faces.ts';
import { insertTemplate } from '../../server/store/matching/templates.ts';
import { insertIdentity } from '../../server/store/operators/identities.ts';
import { insertPasskey } from '../../server/store/operators/passkeys.ts';
import { saveEnrolment, saveSecondFactor } from '../../server/store/operators/second-factors.ts';
import { listVerificationsAfter, updateVerification } from '../../server/store/companies/verifications.ts';
import { insertOperator, setPinHash } from '../../server/store/operators/operators.ts';
import { insertOperatorSession } from '../../server/store/operators/sessions.ts';
import { bindIdentity, touchPerson } from '../../server/store/people/people.ts';
import { findLatestOwnCode, insertPhoneCode } from '../../server/store/phone/codes.ts';
import { insertCaseFrames } from '../../server/store/reviews/case-frames.ts';
import { insertControlPicture } from '../../server/store/reviews/controls.ts';
import { saveGuestPhoto } from '../../server/store/reviews/guest-photos.ts';
import { insertEvent } from '../../server/store/venue/events.ts';
import { insertCase } from '../../server/store/reviews/cases.ts';
import { leaseCase } from '../../server/store/reviews/leases.ts';
import { insertReviewNote } from '../../server/store/reviews/notes.ts';
import { handOn } from '../../server/store/reviews/opinions.ts';
import { insertBlock } from '../../server/store/people/blocks.ts';
import { insertTicketCall } from '../../server/store/tickets/calls.ts';
import { insertEntry } from '../../server/store/tickets/entries.ts';
import { insertHumanCode } from '../../server/store/tickets/human-codes.ts';
import { insertShift } from '../../server/store/tickets/shifts.ts';
import { insertSource } from '../../server/store/tickets/sources.ts';
import { insertTicket } from '../../server/store/tickets/tickets.ts';
import { replaceHandoff } from '../../server/store/runs/handoffs.ts';
import { insertInvite } from '../../server/store/runs/invites.ts';
import { writeSetting } from '../../server/store/settings.ts';
import type { Database, SqlTx } from '../../server/store/sql/port.ts';
import type { SealedColumn } from '../../server/store/sql/sealed-columns.ts';
import { insertWebhookCall } from '../../server/store/webhooks/calls.ts';
import { insertWebhookEvent } from '../../server/store/webhooks/events.ts';
import { addWebhookSecret, saveWebhookConfig } from '../../server/store/webhooks/configs.ts';
import { EMPTY_REQUEST } from '../../server/domain/runs/session-request.ts';
import { NOW, seedCompany, seedPerson, seedSession, session, venueEvent } from './rows.ts';

const SCOPE = { companyId: 'acme', partition: 'live' } as const;
const HOOK = 'https://example.org/hook-secret';
const NUMBER = '+4915100000000';
const face = () => new Float32Array(randomBytes(64).buffer.slice(0, 64));
const bytesOf = (face: Float32Array) => Buffer.from(face.buffer).toString('latin1');

/** The digits of the seeded code, as the service reads them. */
export const findCode = async (db: Database): Promise<string | null | undefined> =>
  (await findLatestOwnCode(db, NUMBER))?.code;

/** @returns the texts that must not be readable in each column */
export async function seedSecrets(db: Database): Promise<Map<SealedColumn, string>> {
  const [enrolled, reviewed, key] = [face(), face(), randomBytes(32)];
  const [packed, jpeg, photo, shown] = [randomBytes(99), randomBytes(99), randomBytes(99), randomBytes(99)];
  const passkey = randomBytes(77);
  const dayKey = randomBytes(32);
  await seedCompany(db, SCOPE.companyId);
  await seedPerson(db, SCOPE, 'zoe');
  const identity = {
    provider: 'email',
    identifier: 'zoe@example.com',
    given: 'ZOE.GIVEN@example.com',
  } as const;
  await seedSession(
    db,
    session(SCOPE, 'v-acme', 's1', {
      request: {
        metadata: { name: 'Zoe Session' },
        identity,
        passParams: { who: 'zoe-param' },
        redirectUrl: 'https://shop.example/zoe-back',
      },
    }),
  );
  await db.tx(async (tx) => {
    await touchPerson(tx, SCOPE, 'zoe', {
      metadata: { name: 'Zoe Person' },
      retentionDays: null,
      agreedAt: NOW,
      at: NOW,
    });
    const template = { personId: 'zoe', passId: 'p1', model: 'm', vector: enrolled, quality: 1, at: NOW };
    await bindIdentity(tx, SCOPE, 'zoe', identity, NOW);
    await insertTemplate(tx, SCOPE, template);
    await insertFaceRows(tx, SCOPE, 'm', [{ personId: 'zoe', packed }]);
    await insertCase(tx, SCOPE, {
      id: 'c1',
      sessionId: 's1',
      passId: 'p2',
      reasons: [],
      groups: [],
      suspectIds: [],
      enrolment: { kind: 'template', model: 'm', vector: reviewed, quality: 1 },
      score: null,
      openedAt: NOW,
    });
    const framing = { width: 1, height: 1, eyesX: 0, eyesY: 0, interocularPx: 1, rollRad: 0 };
    await insertCaseFrames(tx, SCOPE, 'c1', [{ jpeg, takenAt: NOW, framing }]);
    const control = { id: 'cp1', name: 'Kim', jpeg: shown, framing, addedAt: NOW, deleteAfter: NOW + 1 };
    await insertControlPicture(tx, control);
    await insertEvent(tx, venueEvent(SCOPE, 'v-acme', 'e1'));
    const times = { takenAt: NOW, deleteAfter: NOW + 1 };
    await saveGuestPhoto(tx, SCOPE, { eventId: 'e1', personId: 'zoe', jpeg: photo, framing, ...times });
    await seedTickets(tx);
    await insertOperator(tx, {
      id: 'o1',
      name: 'Ada',
      nameKey: 'ada',
      role: 'admin',
      origin: 'cli',
      passphraseHash: '$argon2id$passphrase',
      passphraseChangedAt: 1,
      createdAt: 1,
    });
    await setPinHash(tx, 'o1', '$argon2id$pin');
    await insertOperatorSession(tx, {
      id: 'os1',
      tokenHash: randomBytes(32),
      operatorId: 'o1',
      address: '203.0.113.77',
      device: 'x',
      provider: null,
      createdAt: NOW,
      lastSeenAt: NOW,
      endsAt: NOW,
    });
    const note = { id: 'n1', caseId: 'c1', operatorId: 'o1', text: 'Looks like a twin', at: NOW };
    await insertReviewNote(tx, SCOPE, note);
    await leaseCase(tx, SCOPE, 'c1', { operatorId: 'o1', at: NOW, leaseUntil: NOW + 60_000 });
    const opinion = { operatorId: 'o1', decision: 'same_person', reason: 'Same scar', at: NOW } as const;
    await handOn(tx, SCOPE, 'c1', opinion);
    await insertBlock(tx, SCOPE, {
      id: 'b1',
      personId: 'zoe',
      action: 'refuse',
      reason: 'Sold places',
      contact: 'desk@venue.example',
      createdAt: NOW,
      createdBy: 'operator:o1',
      expiresAt: NOW + 1,
    });
    await saveSecondFactor(tx, 'o1', { secret: 'FACTORSECRET', enrolledAt: NOW, lastStep: 1 });
    await insertIdentity(tx, 'o1', {
      hash: randomBytes(32),
      subject: 'https://id.example\nsubject-1',
      at: NOW,
    });
    await insertPasskey(tx, {
      id: 'pk1',
      operatorId: 'o1',
      credentialId: 'credential',
      rpId: 'localhost',
      publicKey: passkey,
      counter: 0,
      name: 'Laptop',
      createdAt: NOW,
    });
    await saveEnrolment(tx, 'o1', { secret: 'ENROLMENTSECRET', expiresAt: NOW });
    await insertPhoneCode(tx, null, {
      id: 'code1',
      sessionId: null,
      number: NUMBER,
      code: '123456',
      sentAt: NOW,
      expiresAt: NOW,
      triesLeft: 3,
      delivery: 'none',
    });
    const offer = { codeHash: randomBytes(32), sessionId: 's1', at: NOW, expiresAt: NOW };
    await replaceHandoff(tx, { ...offer, matchCode: 'MATCH-42' });
    await insertInvite(
      tx,
      {
        id: 'i1',
        scope: SCOPE,
        verificationId: 'v-acme',
        keyId: null,
        request: {
          ...EMPTY_REQUEST,
          metadata: { name: 'Zoe Invite' },
          passParams: { who: 'Zoe Invite' },
          redirectUrl: 'https://shop.example/Zoe Invite',
        },
        sessionId: null,
        createdAt: NOW,
        revokedAt: null,
        generation: 'v3',
        connectUserId: null,
      },
      randomBytes(32),
    );
    await keepReply(tx, SCOPE, 'ik1', {
      fingerprint: randomBytes(32),
      reply: '{"url":"kept-link"}',
      subjectId: 's1',
      createdAt: NOW,
      endedBefore: 0,
    });
    await insertDayKey(tx, { day: 1, key: dayKey });
    await writeSetting(tx, 'sms', { token: 'SMS-TOKEN' });
    await insertSigningKey(tx, 'results', { version: 1, secret: key }, NOW);
    const secret = { version: 1, secret: 'whsec_secret', createdAt: NOW };
    await addWebhookSecret(tx, SCOPE, 'line', secret, NOW);
    const [verification] = await listVerificationsAfter(tx, SCOPE.companyId, { after: null, limit: 1 });
    if (verification)
      await updateVerification(tx, { ...verification, redirectUrl: 'https://shop.example/saved' });
    const hook = { lineageId: 'line', type: 'USER_VERIFICATION_COMPLETED', destinationUrl: HOOK } as const;
    await saveWebhookConfig(tx, SCOPE, { id: 'w1', ...hook, changedAt: NOW });
    await insertWebhookCall(tx, SCOPE, {
      transactionId: 'ewh:1',
      lineageId: 'line',
      type: 'USER_VERIFICATION_COMPLETED',
      destinationUrl: HOOK,
      origin: 'https://example.org',
      body: Buffer.from('{"who":"Zoe Webhook"}'),
      createdAt: NOW,
    });
    const response = { httpStatus: 200, responseBody: 'receiver-says', networkFailure: null };
    const call = { transactionId: 'ewh:1', lineageId: 'line', destinationUrl: HOOK };
    await insertWebhookEvent(tx, SCOPE, call, { attempt: 1, ...response, durationMs: 1, createdAt: NOW });
  });
  return new Map<SealedColumn, string>([
    ['case_frames.jpeg', jpeg.toString('latin1')],
    ['control_pictures.jpeg', shown.toString('latin1')],
    ['face_rows.vector', packed.toString('latin1')],
    ['guest_photos.jpeg', photo.toString('latin1')],
    ['handoffs.match_code', 'MATCH-42'],
    ['human_codes.serial', 'serial-of-zoe'],
    ['idempotency_keys.reply', 'kept-link'],
    ['invites.request', 'Zoe Invite'],
    ['operator_identities.subject', 'subject-1'],
    ['operator_passkeys.public_key', passkey.toString('latin1')],
    ['operator_sessions.address', '203.0.113.77'],
    ['operators.passphrase_hash', 'argon2id$passphrase'],
    ['operators.pin_hash', 'argon2id$pin'],
    ['people.metadata', 'Zoe Person'],
    ['person_blocks.contact', 'desk@venue.example'],
    ['person_blocks.reason', 'Sold places'],
    ['person_identities.given', 'ZOE.GIVEN'],
    ['phone_codes.code', '123456'],
    ['review_cases.vector', bytesOf(reviewed)],
    ['review_notes.text', 'twin'],
    ['review_opinions.reason', 'Same scar'],
    ['second_factor_enrolments.secret', 'ENROLMENTSECRET'],
    ['second_factors.secret', 'FACTORSECRET'],
    ['seen_face_keys.key', dayKey.toString('latin1')],
    ['sessions.identity_given', 'ZOE.GIVEN'],
    ['sessions.metadata', 'Zoe Session'],
    ['sessions.pass_params', 'zoe-param'],
    ['sessions.redirect_url', 'zoe-back'],
    ['settings.value', 'SMS-TOKEN'],
    ['signing_keys.secret', key.toString('latin1')],
    ['templates.vector', bytesOf(enrolled)],
    ['ticket_calls.answer', 'source-says'],
    ['ticket_shifts.code', 'SHIFT-77'],
    ['ticket_sources.config', 'device-token'],
    ['tickets.code', 'TICKET-CODE-9'],
    ['tickets.note', 'Wheelchair'],
    ['verifications.redirect_url', 'saved'],
    ['webhook_calls.body', 'Zoe Webhook'],
    ['webhook_calls.destination_url', 'hook-secret'],
    ['webhook_configs.destination_url', 'hook-secret'],
    ['webhook_events.destination_url', 'hook-secret'],
    ['webhook_events.response_body', 'receiver-says'],
    ['webhook_secrets.secret', 'whsec_secret'],
  ]);
}

async function seedTickets(tx: SqlTx): Promise<void> {
  const times = { createdAt: NOW, updatedAt: NOW };
  const config = { token: 'device-token' };
  const source = {
    id: 'ts1',
    eventId: 'e1',
    kind: 'pretix',
    name: 'Tickets',
    config,
    state: {},
    ...times,
  } as const;
  await insertSource(tx, SCOPE, source);
  await insertTicket(tx, SCOPE, {
    id: 't1',
    eventId: 'e1',
    sourceId: 'ts1',
    codeHash: randomBytes(32),
    code: 'TICKET-CODE-9',
    externalId: null,
    name: null,
    kind: null,
    party: null,
    note: 'Wheelchair',
    validFrom: null,
    validUntil: null,
    state: 'valid',
    rulesUnknown: false,
    ...times,
  });
  const entry = await insertEntry(tx, SCOPE, {
    eventId: 'e1',
    ticketId: 't1',
    personId: null,
    sessionId: null,
    gate: 'k1',
    gateName: 'North',
    direction: 'in',
    people: 1,
    at: NOW,
    actor: 'kiosk:k1',
    how: 'check',
    reason: null,
  });
  await insertTicketCall(tx, SCOPE, {
    eventId: 'e1',
    sourceId: 'ts1',
    ticketId: 't1',
    entrySeq: entry,
    kind: 'in',
    nonce: 'n1',
    at: NOW,
  });
  await tx.run(
    'UPDATE ticket_calls SET answer = ? WHERE entry_seq = ?',
    tx.secrets.seal('ticket_calls.answer', [entry, 'in'], 'source-says'),
    entry,
  );
  const code = { id: 'hc1', eventId: 'e1', keyVersion: 1, passId: null, serial: 'serial-of-zoe' };
  await insertHumanCode(tx, SCOPE, code);
  await insertShift(tx, SCOPE, {
    id: 'sh1',
    eventId: 'e1',
    role: 'steward',
    code: 'SHIFT-77',
    codeHash: randomBytes(32),
    createdAt: NOW,
    createdBy: 'operator:o1',
    endsAt: NOW + 1,
  });
}
