/** What an organiser keeps about a person now, and until when, in the order in which people ask: face, pictures, tickets, the rest. */
import type { MyKept } from '../../contract/my.ts';
import { DEFAULT_RULES } from '../../domain/tickets/ticket.ts';
import { countKept, findKeptPictures, listKeptOfEvents } from '../../store/people/kept.ts';
import type { OwnPerson } from '../../store/runs/my-sessions.ts';
import type { Ports } from '../ports/ports.ts';
import { faceDays } from '../people/retention-settings.ts';
import { iso } from '../wire/values.ts';

const DAY_MS = 86_400_000;

export async function keptOf(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { scope, personId, lastSeenAt }: OwnPerson,
): Promise<MyKept[]> {
  const now = clock.now();
  const { faces, agreedDays, numbers, checks } = await countKept(db, scope, personId);
  const ofEvents = await listKeptOfEvents(db, scope, { personId, now, keepDays: DEFAULT_RULES.keepDays });
  const pictures = await findKeptPictures(db, scope, personId, now);
  const days = Math.min(await faceDays(db, scope.partition), agreedDays ?? Infinity);
  const always = { until: null, event: null };
  return [
    ...(faces > 0 ? [{ what: 'face' as const, until: iso(lastSeenAt + days * DAY_MS), event: null }] : []),
    ...(pictures
      ? [
          {
            what: 'pictures' as const,
            until: pictures.until === null ? null : iso(pictures.until),
            event: null,
          },
        ]
      : []),
    ...ofEvents.map(({ what, event, until }) => ({ what, event, until: iso(until) })),
    ...(numbers > 0 ? [{ what: 'contact' as const, ...always }] : []),
    ...(checks > 0 ? [{ what: 'checks' as const, ...always }] : []),
  ];
}
