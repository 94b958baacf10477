/** A person verifies a number and manages their own data (decisions §4.10; product, "Privacy"). */
import { describe, expect, it } from 'vitest';
import { verifyAudit } from '../../store/operators/audit.ts';
import { findPerson } from '../../store/people/people.ts';
import { saveGuestPhoto } from '../../store/reviews/guest-photos.ts';
import { insertSource } from '../../store/tickets/sources.ts';
import { bindTicket, insertTicket } from '../../store/tickets/tickets.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { venueEvent } from '../../../testing/store/rows.ts';
import { NO_SKIP, passOf, run } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { createCompany } from '../companies/companies.ts';
import { readConfirmation } from '../passes/confirmations.ts';
import {
  disconnect,
  eraseMe,
  listOwnConnections,
  MY_SESSION_MS,
  openOwnPage,
  requestOwnCode,
} from './my-verifications.ts';

const DAY_MS = 86_400_000;
const PHONE = '+999011234567';
const ADDRESS = '198.51.100.1';
const CODE = '234567';

/** Alice, known by her number. */
async function known(service: TestService) {
  const snapshot = await run(service, 'alice', {
    phone: PHONE,
    external_id: 'alice-1',
    metadata: { seat: 'Balcony B7' },
  });
  return { snapshot, personId: (await passOf(service, snapshot)).personId ?? '' };
}

async function prove({ deps }: TestService) {
  await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
  return openOwnPage(deps, { phone: PHONE, code: CODE });
}

describe('the person’s own page', () => {
  it('answers a request for a code in the same way whether or not the number is known', async () => {
    const service = await openTestService();
    const before = await requestOwnCode(service.deps, { phone: PHONE }, ADDRESS);
    await known(service);
    service.clock.advance(30_000);
    const after = await requestOwnCode(service.deps, { phone: PHONE }, ADDRESS);
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });

  it('opens only with the right code, with at most five tries', async () => {
    const service = await openTestService();
    await requestOwnCode(service.deps, { phone: PHONE }, ADDRESS);
    for (let n = 0; n < 5; n++) {
      expect(await refusalOf(openOwnPage(service.deps, { phone: PHONE, code: '000000' }))).toBe('wrong_code');
    }
    expect(await refusalOf(openOwnPage(service.deps, { phone: PHONE, code: CODE }))).toBe('too_many_codes');
  });

  it('lists the organisers that know the person, and ends after a quarter of an hour', async () => {
    const service = await openTestService();
    const { personId } = await known(service);
    const page = await prove(service);
    expect(page.connections).toMatchObject([
      { connection_id: personId, organiser: 'Venue', connected: true },
    ]);
    service.clock.advance(MY_SESSION_MS);
    expect(await refusalOf(listOwnConnections(service.deps, page.my_token))).toBe('invalid_flow_token');
  });

  it('says what is kept now and until when: the face by the shorter of consent and setting, photo and ticket by their event', async () => {
    const service = await openTestService();
    const { deps, clock } = service;
    const scope = service.scope('test');
    const { personId } = await known(service);
    const event = venueEvent(scope, service.company.default_verification_id, 'e', { name: 'Night run' });
    const at = clock.now();
    const dates = { createdAt: at, updatedAt: at };
    await deps.db.tx(async (tx) => {
      await insertEvent(tx, event);
      await insertSource(tx, scope, {
        ...{ id: 's', eventId: 'e', kind: 'any', name: 'S', config: {}, state: {}, ...dates },
      });
      await insertTicket(tx, scope, {
        ...{ id: 't', eventId: 'e', sourceId: 's', codeHash: Buffer.alloc(32), code: null, externalId: null },
        ...{ name: 'Ada', kind: null, party: null, note: null, validFrom: null, validUntil: null },
        ...{ state: 'valid', rulesUnknown: false, ...dates },
      });
      await bindTicket(tx, scope, { id: 't', personId, at });
      await saveGuestPhoto(tx, scope, {
        ...{ eventId: 'e', personId, jpeg: Buffer.from('jpeg'), takenAt: at, deleteAfter: at + 5 * DAY_MS },
        framing: { width: 1, height: 1, eyesX: 0, eyesY: 0, interocularPx: 1, rollRad: 0 },
      });
      await tx.run('UPDATE people SET retention_days = 7');
    }, scope);
    const { connections } = await prove(service);
    const day = (ms: number) => new Date(ms).toISOString();
    expect(connections[0]?.kept).toEqual([
      { what: 'face', until: day(at + 7 * DAY_MS), event: null },
      { what: 'ticket', until: day(event.endsAt + 30 * DAY_MS), event: 'Night run' },
      { what: 'photo', until: day(at + 5 * DAY_MS), event: 'Night run' },
      { what: 'contact', until: null, event: null },
      { what: 'checks', until: null, event: null },
    ]);
  });

  it('affects no one else: another person’s connection is not found', async () => {
    const service = await openTestService();
    await known(service);
    const bob = (await passOf(service, await run(service, 'bob'))).personId ?? '';
    const { my_token: token } = await prove(service);
    expect(await refusalOf(eraseMe(service.deps, token, { connection_id: bob }))).toBe('not_found');
    expect(await refusalOf(disconnect(service.deps, null, { connection_id: bob }))).toBe(
      'flow_token_required',
    );
  });
});

describe('disconnecting', () => {
  it('withdraws the approvals, and a later run is a new account', async () => {
    const service = await openTestService();
    const { snapshot, personId } = await known(service);
    const { my_token: token } = await prove(service);
    const after = await disconnect(service.deps, token, { connection_id: personId });
    // Still listed, so that they can request erasure afterwards.
    expect(after).toMatchObject([{ connection_id: personId, connected: false }]);
    const caller = await service.caller('sk_test');
    const confirmed = await readConfirmation(service.deps, caller, snapshot.result?.vyt ?? '');
    expect(confirmed).toMatchObject({ verified: false, status: 'approved', locked: false });
    const again = await run(service, 'alice', { ...NO_SKIP, external_id: 'alice-2' });
    expect(again.result?.verified).toBe(true);
  });

  it('cannot be used to avoid a limit', async () => {
    const service = await openTestService();
    const config = { limit: { kind: 'total', max: 1 }, skip: { window_hours: 0 } };
    const first = await run(service, 'alice', { phone: PHONE, config });
    const personId = (await passOf(service, first)).personId ?? '';
    await disconnect(service.deps, (await prove(service)).my_token, { connection_id: personId });
    const again = await passOf(service, await run(service, 'alice', { config }));
    expect(again.reasons).toEqual(['limit_reached']);
  });
});

describe('erasing a person', () => {
  it('leaves bare verdicts and a record, and nothing about the person', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { personId } = await known(service);
    const { my_token: token } = await prove(service);
    expect(await eraseMe(deps, token, { connection_id: personId })).toEqual([]);

    expect(await findPerson(deps.db, service.scope('test'), personId)).toBeUndefined();
    for (const table of ['person_identities', 'person_external_ids', 'test_faces', 'templates', 'people']) {
      expect(await deps.db.all(`SELECT * FROM ${table}`), table).toEqual([]);
    }
    const kept = JSON.stringify([
      await deps.db.all('SELECT * FROM passes'),
      await deps.db.all('SELECT * FROM sessions'),
    ]);
    for (const trace of [PHONE, 'alice', 'Balcony B7', personId]) expect(kept).not.toContain(trace);
    const proof = await deps.db.one<{ subject: string; details: string }>(
      `SELECT subject, details FROM audit_entries WHERE action = 'person.erase'`,
    );
    expect(proof?.subject).toBe(personId);
    expect(proof?.details).not.toContain(PHONE);
    expect((await verifyAudit(deps.db)).brokenAt).toBeNull();
  });

  it('makes a later run of the same face a new person', async () => {
    const service = await openTestService();
    const { personId } = await known(service);
    await eraseMe(service.deps, (await prove(service)).my_token, { connection_id: personId });
    const again = await run(service, 'alice', { ...NO_SKIP, external_id: 'someone-else' });
    const pass = await passOf(service, again);
    expect(pass.status).toBe('approved');
    expect(pass.personId).not.toBe(personId);
  });

  it('does not affect another company', async () => {
    const service = await openTestService();
    const { personId } = await known(service);
    await createCompany(service.deps.db, service.clock, { name: 'Other', actor: 'cli' });
    const bob = (await passOf(service, await run(service, 'bob'))).personId ?? '';
    await eraseMe(service.deps, (await prove(service)).my_token, { connection_id: personId });
    expect(await findPerson(service.deps.db, service.scope('test'), bob)).toBeDefined();
  });
});
