/** What the Door page shows of an event's tickets: the codes of its phones, who calls, who is inside. */
import type { DoorTeam } from '../../contract/console/door-team.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { Scope } from '../../domain/scope.ts';
import { listConflicts } from '../../store/tickets/queue.ts';
import { findTicketRules } from '../../store/tickets/rules.ts';
import { listCalls } from '../../store/tickets/shifts.ts';
import { hasSources } from '../../store/tickets/sources.ts';
import type { Ports } from '../ports/ports.ts';
import { requireEvent } from '../venue/events.ts';
import { iso } from '../wire/values.ts';
import type { Deps } from './admit.ts';
import { readBadges } from './badges.ts';
import { readTicketCounts } from './counts.ts';
import { rulesVersion } from './rules.ts';
import { readShifts } from './shifts.ts';

const MOST_CONFLICTS = 5;

/** @throws Refusal `not_found` */
export async function readDoorTeam(
  deps: Deps & Pick<Ports, 'baseUrl'>,
  scope: Scope,
  { eventId, showsCodes }: { eventId: string; showsCodes: boolean },
): Promise<DoorTeam> {
  const { db, clock, baseUrl } = deps;
  await requireEvent(db, scope, eventId);
  const calls = await listCalls(db, scope, { eventId, now: clock.now() });
  const shifts = await readShifts(deps, scope, eventId);
  const rules = await findTicketRules(db, scope, eventId);
  const conflicts = await listConflicts(db, scope, { eventId, limit: MOST_CONFLICTS });
  return {
    takes_tickets: await hasSources(db, scope, eventId),
    is_local_only: isLoopbackUrl(baseUrl()),
    re_entry: rules.reEntry,
    version: rulesVersion(rules),
    counts: await readTicketCounts(deps, scope, eventId),
    badges: await readBadges(db, scope, eventId),
    conflicts: conflicts.map(({ name, at, answer }) => ({
      name,
      at: iso(at),
      other_at: (JSON.parse(answer ?? '{}') as { at?: string }).at ?? null,
    })),
    calls: calls.map(({ name, at }) => ({ name, at: iso(at) })),
    shifts: shifts.map(({ id, role, phones, createdAt, endsAt, code }) => ({
      shift_id: id,
      role,
      phones,
      created_at: iso(createdAt),
      ends_at: iso(endsAt),
      code: showsCodes ? code : null,
      // In the fragment, which no request contains.
      join_url: showsCodes ? `${baseUrl()}/scan#code=${code}` : null,
    })),
  };
}
