/** Kiosks of a company, as staff see and change them. */
import type { Actor } from '../../domain/operators/actor.ts';
import {
  type KioskCreate,
  type KioskRecord,
  type KioskState,
  type KioskUpdate,
  type KioskWithCode,
} from '../../contract/console/kiosks.ts';
import { KIOSK_AWAY_AFTER_MS, type KioskCommandKind } from '../../contract/kiosk.ts';
import { newPairingCode, PAIRING_LIFETIME_MS } from '../../domain/venue/event.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findCompanyEvent } from '../../store/venue/events.ts';
import {
  countKiosks,
  findKiosk,
  insertKiosk,
  type Kiosk,
  listKiosks,
  revokeKiosk,
  setCommand,
  setPairingCode,
  updateKiosk,
} from '../../store/venue/kiosks.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { newId } from '../ports/ids.ts';
import { readName, refuseLookAlike } from '../wire/names.ts';
import { endRunsOf } from './kiosk-runs.ts';
import { pairingCodeHash } from './kiosk-tokens.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { changedNames, type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';

type Deps = Pick<Ports, 'db' | 'clock' | 'baseUrl' | 'connectUrl' | 'trustPage' | 'randomInt'>;

/** Most kiosks in the list; a larger venue revokes unused ones. */
const MAX_KIOSKS = 100;

/** Oldest first. */
export async function readKiosks(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  companyId: string,
): Promise<KioskRecord[]> {
  const kiosks = await listKiosks(db, companyId);
  return Promise.all(kiosks.map((kiosk) => toRecord(db, kiosk, clock.now())));
}

async function toRecord(db: SqlReader, kiosk: Kiosk, now: number): Promise<KioskRecord> {
  const { eventId } = kiosk;
  const event = eventId === null ? undefined : await findCompanyEvent(db, kiosk.companyId, eventId);
  const codeIsGood = kiosk.pairingExpiresAt !== null && kiosk.pairingExpiresAt > now;
  return {
    kiosk_id: kiosk.id,
    name: kiosk.name,
    event_id: eventId,
    event_name: event?.name ?? null,
    is_way_out: kiosk.wayOut === 1,
    state: stateOf(kiosk, now),
    screen: kiosk.screen,
    camera: kiosk.camera,
    session_id: kiosk.sessionId,
    last_seen_at: isoOrNull(kiosk.lastSeenAt),
    silent_ms: kiosk.lastSeenAt === null ? null : Math.abs(now - kiosk.lastSeenAt),
    paired_at: isoOrNull(kiosk.pairedAt),
    code_ends_at: codeIsGood ? isoOrNull(kiosk.pairingExpiresAt) : null,
    version: versionOf(kioskFields(kiosk)),
  };
}

/** As on the wire. */
const kioskFields = ({ name, eventId, wayOut }: Kiosk) => ({
  name,
  event_id: eventId,
  is_way_out: wayOut === 1,
});

function stateOf({ pairedAt, lastSeenAt, pairingExpiresAt }: Kiosk, now: number): KioskState {
  if (pairedAt === null) return pairingExpiresAt !== null && pairingExpiresAt > now ? 'waiting' : 'code_over';
  return lastSeenAt !== null && Math.abs(now - lastSeenAt) < KIOSK_AWAY_AFTER_MS ? 'online' : 'away';
}

/** @throws Refusal `too_many_kiosks`, `not_found` for the event */
export async function addKiosk(
  deps: Deps,
  companyId: string,
  request: KioskCreate,
  actor: Actor,
): Promise<KioskWithCode> {
  const at = deps.clock.now();
  const { id, code } = await deps.db.tx((tx) => insertWithCode(deps, tx, companyId, request, { at, actor }), {
    companyId,
  });
  return withCode(deps, companyId, id, code, at);
}

/** The part of a transaction that adds a kiosk. @throws Refusal `too_many_kiosks`, `not_found` for the event */
export async function insertWithCode(
  { randomInt }: Pick<Deps, 'randomInt'>,
  tx: SqlTx,
  companyId: string,
  request: KioskCreate,
  { at, actor }: { at: number; actor: Actor },
): Promise<{ id: string; code: string }> {
  const id = newId(at);
  const code = newPairingCode(randomInt);
  const name = await readKioskName(tx, companyId, request.name, null);
  const eventId = request.event_id ?? null;
  if ((await countKiosks(tx, companyId)) >= MAX_KIOSKS) {
    throw new Refusal('too_many_kiosks', { args: { max: MAX_KIOSKS } });
  }
  await refuseMissingEvent(tx, companyId, eventId);
  await insertKiosk(tx, {
    id,
    companyId,
    name,
    eventId,
    codeHash: pairingCodeHash(code),
    codeExpiresAt: at + PAIRING_LIFETIME_MS,
    at,
  });
  await appendAudit(tx, {
    companyId,
    subject: id,
    at,
    actor,
    action: 'kiosk.create',
    details: { name, event_id: eventId },
  });
  return { id, code };
}

/**
 * Another code for a kiosk; a paired device stays paired until the code is used.
 * @throws Refusal `not_found`
 */
export async function renewCode(
  deps: Deps,
  companyId: string,
  id: string,
  actor: Actor,
): Promise<KioskWithCode> {
  const at = deps.clock.now();
  const code = newPairingCode(deps.randomInt);
  await deps.db.tx(
    async (tx) => {
      const expiresAt = at + PAIRING_LIFETIME_MS;
      const changed = await setPairingCode(tx, companyId, id, { hash: pairingCodeHash(code), expiresAt, at });
      if (changed === 0) throw notFound();
      await appendAudit(tx, { companyId, subject: id, at, actor, action: 'kiosk.code' });
    },
    { companyId },
  );
  return withCode(deps, companyId, id, code, at);
}

/** The kiosk with its code, which is returned only once. */
export async function withCode(
  { db, clock, baseUrl, connectUrl, trustPage }: Omit<Deps, 'randomInt'>,
  companyId: string,
  id: string,
  code: string,
  at: number,
): Promise<KioskWithCode> {
  return {
    kiosk: await readKiosk({ db, clock }, companyId, id),
    code,
    ends_at: iso(at + PAIRING_LIFETIME_MS),
    kiosk_url: `${baseUrl()}/kiosk`,
    // In the fragment, which no request contains.
    pairing_url: `${baseUrl()}/kiosk#code=${code}`,
    here_url: `${connectUrl()}/kiosk#code=${code}`,
    is_local_only: isLoopbackUrl(baseUrl()),
    // A public address has a certificate that devices know.
    trust: baseUrl() === connectUrl() ? null : trustPage(),
  };
}

async function readKiosk(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  companyId: string,
  id: string,
): Promise<KioskRecord> {
  return toRecord(db, await requireKiosk(db, companyId, id), clock.now());
}

async function requireKiosk(db: SqlReader, companyId: string, id: string): Promise<Kiosk> {
  const kiosk = await findKiosk(db, companyId, id);
  if (!kiosk || kiosk.revokedAt !== null) throw notFound();
  return kiosk;
}

/**
 * Renames it, assigns another event, or has guests leave through it.
 * @throws Refusal `not_found`, `changed_meanwhile`
 */
export async function changeKiosk(
  deps: Pick<Deps, 'db' | 'clock'>,
  companyId: string,
  id: string,
  { version, ...sent }: KioskUpdate,
  actor: Actor,
): Promise<KioskRecord> {
  await deps.db.tx(
    async (tx) => {
      const at = deps.clock.now();
      const before = await requireKiosk(tx, companyId, id);
      const current = kioskFields(before);
      const log: ChangeLog = { subject: id, actions: ['kiosk.update'], companyId };
      const change = await mergeChange(tx, { version, current, sent, log });
      const name =
        change.name === undefined || change.name === before.name
          ? before.name
          : await readKioskName(tx, companyId, change.name, id);
      const eventId = change.event_id === undefined ? before.eventId : change.event_id;
      await refuseMissingEvent(tx, companyId, eventId);
      const isWayOut = change.is_way_out ?? current.is_way_out;
      await updateKiosk(tx, companyId, id, { name, eventId, isWayOut, at });
      const to = { name, event_id: eventId, is_way_out: isWayOut };
      const details = { from: current, to, changed: changedNames(current, to) };
      await appendAudit(tx, { companyId, subject: id, at, actor, action: 'kiosk.update', details });
    },
    { companyId },
  );
  return readKiosk(deps, companyId, id);
}

/**
 * The device loses access immediately and permanently.
 * @throws Refusal `not_found`
 */
export async function revoke(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  companyId: string,
  id: string,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<void> {
  await db.tx(
    async (tx) => {
      const at = clock.now();
      const { name } = await requireKiosk(tx, companyId, id);
      await revokeKiosk(tx, companyId, id, at);
      await endRunsOf(tx, id, at);
      await appendAudit(tx, {
        companyId,
        subject: id,
        at,
        actor,
        action: 'kiosk.revoke',
        details: { name, reason },
      });
    },
    { companyId },
  );
}

/**
 * Sends a command to a kiosk, which gets it at once.
 * @throws Refusal `not_found`, `kiosk_not_paired`
 */
export async function command(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  companyId: string,
  id: string,
  { kind, actor }: { kind: KioskCommandKind; actor: Actor },
): Promise<void> {
  await db.tx(async (tx) => {
    const at = clock.now();
    await requireKiosk(tx, companyId, id);
    if ((await setCommand(tx, companyId, id, { id: newId(at), kind, at })) === 0) {
      throw new Refusal('kiosk_not_paired');
    }
    await appendAudit(tx, { companyId, subject: id, at, actor, action: 'kiosk.command', details: { kind } });
  });
}

async function refuseMissingEvent(tx: SqlTx, companyId: string, eventId: string | null): Promise<void> {
  if (eventId !== null && !(await findCompanyEvent(tx, companyId, eventId))) throw notFound();
}

/** @throws Refusal `invalid_name`, `name_unseen`, `name_looks_alike` */
async function readKioskName(
  tx: SqlTx,
  companyId: string,
  given: string,
  ownId: string | null,
): Promise<string> {
  const name = readName(given);
  if (name === '') throw new Refusal('invalid_name');
  const others = (await listKiosks(tx, companyId)).filter(({ id }) => id !== ownId);
  refuseLookAlike(
    name,
    others.map((other) => other.name),
  );
  return name;
}
