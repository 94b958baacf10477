/**
 * Humans-only codes: one-use codes for guests who passed, signed by a key of their event and checked anywhere without this
 * service. What the code is isn't stored: its serial and the key make it again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { ERROR_CODES } from '../../contract/operations.ts';
import type { CodeKeys, HumanCodeReply, RedeemedCode } from '../../contract/v3-codes.ts';
import { type Actor, keyActor } from '../../domain/operators/actor.ts';
import { isVerified } from '../../domain/passes/pass.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  isSignedBy,
  keyIdOf,
  keyText,
  publicKeyOf,
  readHumanCode,
  SERIAL_BYTES,
  signHumanCode,
} from '../../domain/tickets/human-code.ts';
import {
  type DatedSigningKey,
  ensureSigningKeys,
  insertSigningKey,
  listSigningKeys,
  loadSigningKeys,
  newSigningSecret,
} from '../../store/keys/signing-keys.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findPass, type Pass } from '../../store/passes/passes.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  countHumanCodes,
  deleteUnusedCodes,
  findHumanCode,
  findHumanCodeOfPass,
  insertHumanCode,
  redeemHumanCode,
} from '../../store/tickets/human-codes.ts';
import { findEventOfGroup } from '../../store/venue/events.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import type { Caller } from '../keys/keys.ts';
import { type ConfirmationDeps, passOfToken } from '../passes/confirmations.ts';
import type { Ports } from '../ports/ports.ts';
import { requireEvent } from '../venue/events.ts';
import { iso } from '../wire/values.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** More than any event needs; each one is a key that verifiers may have to know. */
const MOST_KEYS = 100;

const purposeOf = (eventId: string): string => `human-code:${eventId}`;
const idOf = (serial: string): string => createHash('sha256').update(serial, 'hex').digest('hex');

/** The code of the pass that a token proves. @throws Refusal as `codeOfPass` and `passOfToken` */
export async function makeCode(
  deps: Deps & Pick<ConfirmationDeps, 'tokens'>,
  { scope, keyId }: Caller,
  token: string,
): Promise<HumanCodeReply> {
  return deps.db.tx(async (tx) => {
    const pass = await passOfToken({ ...deps, db: tx }, scope, token);
    return codeOfPass(tx, scope, pass, { at: deps.clock.now(), actor: keyActor(keyId) });
  }, scope);
}

/** @throws Refusal as `codeOfPass`, `not_found` */
export async function makeCodeOfPass(
  { db, clock }: Deps,
  scope: Scope,
  { passId, actor }: { passId: string; actor: Actor },
): Promise<HumanCodeReply> {
  return db.tx(async (tx) => {
    const pass = await findPass(tx, scope, passId);
    if (!pass) throw notFound();
    return codeOfPass(tx, scope, pass, { at: clock.now(), actor });
  }, scope);
}

/**
 * One code for each pass of an event: asking again gives the same one, with the event's end as it is by then.
 * @throws Refusal `pass_not_verified`, `no_event_of_group`, `event_over`, `code_redeemed`
 */
async function codeOfPass(
  tx: SqlTx,
  scope: Scope,
  pass: Pass,
  { at, actor }: { at: number; actor: Actor },
): Promise<HumanCodeReply> {
  // Whose person was erased can't be told from one who has a code already. Test tokens never have a person.
  const isTestToken = scope.partition === 'test' && pass.sessionId === null;
  if (!isVerified(pass) || (pass.personId === null && !isTestToken)) throw refused('pass_not_verified');
  const event = pass.group === null ? undefined : await findEventOfGroup(tx, scope, pass.group);
  if (event === undefined) throw refused('no_event_of_group');
  if (event.endsAt <= at) throw refused('event_over');
  const keys = await ensureSigningKeys(tx, purposeOf(event.id), at);
  const known = await findHumanCodeOfPass(tx, scope, { passId: pass.id, eventId: event.id });
  if (known) refuseRedeemed(known.redeemedAt);
  const key = known ? keys.find(({ version }) => version === known.keyVersion) : keys[0];
  if (key === undefined) throw new Error('The key of a code is gone.');
  const serial = known?.serial ?? randomBytes(SERIAL_BYTES).toString('hex');
  if (known === undefined) {
    await insertHumanCode(tx, scope, {
      id: idOf(serial),
      eventId: event.id,
      keyVersion: key.version,
      passId: pass.id,
      serial,
    });
    // Not about the pass: the audit log must not say whose code was made when.
    await appendAudit(tx, { ...scope, at, actor, action: 'code.make', subject: event.id, details: {} });
    tx.afterCommit('venue', scope.companyId);
  }
  const code = signHumanCode(key.secret, { expiresAt: event.endsAt, serial });
  const said = readHumanCode(code);
  if (said === null) throw new Error('A code that was just made can be read.');
  return { code, event_id: event.id, key_id: said.keyId, expires_at: iso(said.expiresAt) };
}

/** With its sentence, for the command line. */
const refused = (code: 'pass_not_verified' | 'no_event_of_group' | 'event_over') =>
  new Refusal(code, { message: ERROR_CODES[code].meaning });

function refuseRedeemed(redeemedAt: number | null): void {
  if (redeemedAt === null) return;
  const at = iso(redeemedAt);
  throw new Refusal('code_redeemed', {
    message: `The code was redeemed at ${at}.`,
    extra: { redeemed_at: at },
  });
}

/**
 * Uses a code up, once.
 * @throws Refusal `invalid_code`, `code_expired`, `code_redeemed`
 */
export async function redeemCode(
  { db, clock }: Deps,
  { scope }: Pick<Caller, 'scope'>,
  text: string,
  keep: KeepReply<RedeemedCode> | null = null,
): Promise<RedeemedCode> {
  const code = readHumanCode(text.trim());
  if (code === null) throw new Refusal('invalid_code');
  const id = idOf(code.serial);
  return db.tx(async (tx) => {
    const known = await findHumanCode(tx, scope, id);
    if (known === undefined) throw new Refusal('invalid_code');
    const keys = await listSigningKeys(tx, purposeOf(known.eventId));
    const key = keys.find(({ version }) => version === known.keyVersion);
    if (key === undefined || !isSignedBy(code, publicKeyOf(key.secret))) throw new Refusal('invalid_code');
    refuseRedeemed(known.redeemedAt);
    const at = clock.now();
    if (code.expiresAt <= at) throw new Refusal('code_expired');
    if ((await redeemHumanCode(tx, scope, id, at)) === 0) throw new Error('The company’s lock is held.');
    tx.afterCommit('venue', scope.companyId);
    const reply = { event_id: known.eventId, serial: code.serial, redeemed_at: iso(at) };
    await keep?.(tx, reply, known.eventId);
    return reply;
  }, scope);
}

/** What verifiers of the event need, newest first; the first call makes the key. @throws Refusal `not_found` */
export async function readCodeKeys({ db, clock }: Deps, scope: Scope, eventId: string): Promise<CodeKeys> {
  await requireEvent(db, scope, eventId);
  const keys = await loadSigningKeys(db, purposeOf(eventId), clock.now(), scope);
  return toCodeKeys(db, scope, eventId, keys);
}

/** The newest, and those whose codes may still come. */
async function toCodeKeys(
  db: SqlReader,
  scope: Scope,
  eventId: string,
  keys: readonly DatedSigningKey[],
): Promise<CodeKeys> {
  const counts = await countHumanCodes(db, scope, eventId);
  const shown = keys.map(({ version, secret, createdAt }) => {
    const publicKey = publicKeyOf(secret);
    const { codes = 0, redeemed = 0 } = counts.find(({ keyVersion }) => keyVersion === version) ?? {};
    return {
      key_id: keyIdOf(publicKey),
      public_key: keyText(publicKey),
      created_at: iso(createdAt),
      codes,
      redeemed,
    };
  });
  return { event_id: eventId, items: shown.filter(({ codes }, index) => index === 0 || codes > 0) };
}

/**
 * New codes are signed with a new key. Older codes stay good, unless they are ended here: then their passes get new ones.
 * @throws Refusal `not_found`, `too_many_code_keys`
 */
export async function rotateCodeKey(
  { db, clock }: Deps,
  scope: Scope,
  {
    eventId,
    endsCodes,
    reason,
    actor,
  }: { eventId: string; endsCodes: boolean; reason: string; actor: Actor },
): Promise<CodeKeys> {
  return db.tx(async (tx) => {
    const at = clock.now();
    await requireEvent(tx, scope, eventId);
    const [newest] = await ensureSigningKeys(tx, purposeOf(eventId), at);
    if (newest.version >= MOST_KEYS)
      throw new Refusal('too_many_code_keys', { message: `The event has had ${MOST_KEYS} keys.` });
    const version = newest.version + 1;
    await insertSigningKey(tx, purposeOf(eventId), { version, secret: newSigningSecret() }, at);
    const ended = endsCodes ? await deleteUnusedCodes(tx, scope, { eventId, beforeVersion: version }) : 0;
    const details = { version, count: ended, reason };
    await appendAudit(tx, { ...scope, at, actor, action: 'code_key.rotate', subject: eventId, details });
    tx.afterCommit('venue', scope.companyId);
    return toCodeKeys(tx, scope, eventId, await listSigningKeys(tx, purposeOf(eventId)));
  }, scope);
}
