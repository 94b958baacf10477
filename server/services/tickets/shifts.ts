/** The door team: codes that make phones scanners, and the phones. */
import { phoneActor, type Actor } from '../../domain/operators/actor.ts';
import { canonicalPairingCode, newPairingCode } from '../../domain/venue/event.ts';
import type { ShiftRole } from '../../domain/tickets/ticket.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ShiftJoinRequest, ShiftJoinResponse, ShiftStatus } from '../../contract/tickets.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  callFrom,
  findPhoneByToken,
  findShiftByCode,
  insertPhone,
  insertShift,
  listCalls,
  listShifts,
  type PhoneOnDuty,
  revokeShift,
} from '../../store/tickets/shifts.ts';
import { findEvent } from '../../store/venue/events.ts';
import type { Ports } from '../ports/ports.ts';
import { newId, randomBase62, sha256 } from '../ports/ids.ts';
import { readName } from '../wire/names.ts';
import { iso } from '../wire/values.ts';
import { requireEvent } from '../venue/events.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import type { Deps } from './admit.ts';
import { readTicketCounts } from './counts.ts';

const codeHash = (code: string): Buffer => sha256(`shift:${canonicalPairingCode(code)}`);

/** Those that still make phones scanners. */
export const readShifts = ({ db, clock }: Deps, scope: Scope, eventId: string) =>
  listShifts(db, scope, { eventId, now: clock.now() });

/** Until the event ends. @throws Refusal `not_found`, `event_over` */
export async function createShift(
  { db, clock, randomInt }: Deps & Pick<Ports, 'randomInt'>,
  scope: Scope,
  { eventId, role, actor }: { eventId: string; role: ShiftRole; actor: Actor },
): Promise<void> {
  const code = newPairingCode(randomInt);
  await db.tx(async (tx) => {
    const at = clock.now();
    const event = await requireEvent(tx, scope, eventId);
    if (event.endsAt <= at) throw new Refusal('event_over');
    const id = newId(at);
    const times = { createdAt: at, endsAt: event.endsAt };
    await insertShift(tx, scope, {
      id,
      eventId,
      role,
      code,
      codeHash: codeHash(code),
      createdBy: actor,
      ...times,
    });
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'shift.create',
      subject: eventId,
      details: { role },
    });
    tx.afterCommit('venue', scope.companyId);
  }, scope);
}

/** Its phones stop at once. @throws Refusal `not_found` */
export async function endShift({ db, clock }: Deps, scope: Scope, id: string, actor: Actor): Promise<void> {
  await db.tx(async (tx) => {
    const at = clock.now();
    if ((await revokeShift(tx, scope, id, at)) === 0) throw notFound();
    await appendAudit(tx, { ...scope, at, actor, action: 'shift.revoke', subject: id, details: {} });
    tx.afterCommit('venue', scope.companyId);
  }, scope);
}

/** Makes a phone a scanner. @throws Refusal `invalid_shift_code` */
export async function joinShift({ db, clock }: Deps, request: ShiftJoinRequest): Promise<ShiftJoinResponse> {
  const hash = codeHash(request.code);
  const name = readName(request.name);
  const known = await findShiftByCode(db, hash, clock.now());
  if (known === undefined || name === '') throw new Refusal('invalid_shift_code');
  const token = `st_${randomBase62(43)}`;
  const { companyId, partition } = known;
  await db.tx(
    async (tx) => {
      const at = clock.now();
      const shift = await findShiftByCode(tx, hash, at);
      if (shift === undefined) throw new Refusal('invalid_shift_code');
      const phone = { id: newId(at), shiftId: shift.id, name, joinedAt: at };
      await insertPhone(tx, { ...phone, tokenHash: sha256(token) });
      const details = { name, role: shift.role };
      const entry = {
        companyId,
        partition,
        at,
        actor: phoneActor(phone.id),
        subject: shift.eventId,
        details,
      };
      await appendAudit(tx, { ...entry, action: 'shift.join' });
      tx.afterCommit('venue', companyId);
    },
    { companyId },
  );
  return { token };
}

/** @throws Refusal `invalid_shift_token` once its code was revoked or the event is over */
export async function authorisePhone({ db, clock }: Deps, token: string | null): Promise<PhoneOnDuty> {
  const phone = token === null ? undefined : await findPhoneByToken(db, sha256(token), clock.now());
  if (phone === undefined) throw new Refusal('invalid_shift_token');
  return phone;
}

export async function readShiftStatus(deps: Deps, phone: PhoneOnDuty): Promise<ShiftStatus> {
  const { eventId, id } = phone;
  const event = await findEvent(deps.db, phone, eventId);
  if (event === undefined) throw notFound();
  const calls = await listCalls(deps.db, phone, { eventId, now: deps.clock.now() });
  return {
    event_name: event.name,
    name: phone.name,
    role: phone.role,
    ends_at: iso(phone.endsAt),
    counts: await readTicketCounts(deps, phone, eventId),
    calls: calls.map(({ name, at }) => ({ name, at: iso(at) })),
    has_called: calls.some((call) => call.id === id),
  };
}

/** Calls a supervisor, or takes the call back. */
export async function callSupervisor({ db, clock }: Deps, phone: PhoneOnDuty, waits: boolean): Promise<void> {
  const { companyId, partition, id, name, eventId } = phone;
  await db.tx(
    async (tx) => {
      const at = clock.now();
      const changed = await callFrom(tx, id, waits ? at : null);
      if (changed === 0) return;
      const entry = { companyId, partition, at, actor: phoneActor(id), subject: eventId, details: { name } };
      await appendAudit(tx, { ...entry, action: waits ? 'shift.call' : 'shift.call_ended' });
      tx.afterCommit('venue', companyId);
    },
    { companyId },
  );
}
