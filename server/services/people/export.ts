/** All data stored about a person, as a copy for them. Without templates, codes, tokens and keys. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { PersonBlock } from '../../contract/console/blocks.ts';
import type { HistoryItem, PersonProfile } from '../../contract/console/people.ts';
import type { SessionDetail } from '../../contract/console/sessions.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { listEntriesOfTicket } from '../../store/tickets/entries.ts';
import { listTicketsOfPerson } from '../../store/tickets/tickets.ts';
import { listGuestPhotos } from '../../store/reviews/guest-photos.ts';
import { type HistoryRow, listHistory } from '../../store/people/profile.ts';
import { findImportTime } from '../../store/people/imports.ts';
import type { Ports } from '../ports/ports.ts';
import { iso } from '../wire/values.ts';
import { readBlocksOf } from './blocks.ts';
import { readPersonProfile, toHistoryFacts } from './profile.ts';
import { readSessionDetail } from '../passes/detail.ts';

const PAGE = 200;

type ExportedRun = Pick<SessionDetail, 'device' | 'consent' | 'metadata' | 'timeline'>;

type PersonExport = {
  exported_at: string;
  person: PersonProfile;
  /** When their ID, details and earlier results came from another service; null if they did not. */
  imported_at: string | null;
  history: (Omit<HistoryItem, 'let_in'> & { run: ExportedRun | null })[];
  /** Without who set them: not the person's data. */
  blocks: Pick<PersonBlock, 'action' | 'reason' | 'contact' | 'created_at' | 'expires_at' | 'ended_at'>[];
  /** With which they came to events, without the codes. */
  tickets: {
    name: string | null;
    kind: string | null;
    order: string | null;
    note: string | null;
    came_at: string | null;
    ways: { direction: string; at: string; gate: string }[];
  }[];
  /** Kept photos, as JPEG in base64. */
  photos: { taken_at: string; kept_until: string; jpeg: string }[];
};

/**
 * Records the export.
 * @throws Refusal `not_found`
 */
export async function exportPerson(
  deps: Pick<Ports, 'db' | 'faces' | 'clock'>,
  scope: Scope,
  id: string,
  actor: Actor,
): Promise<PersonExport> {
  const { db, clock } = deps;
  const person = await readPersonProfile(deps, scope, id);
  const at = clock.now();
  await db.tx((tx) =>
    appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'person.export',
      subject: id,
    }),
  );
  const history: PersonExport['history'] = [];
  for await (const row of allHistory(deps, scope, id)) {
    history.push({ ...toHistoryFacts(row), run: await runOf(deps, scope, row.sessionId) });
  }
  const photos = (await listGuestPhotos(db, scope, id, at)).map(({ takenAt, deleteAfter, jpeg }) => ({
    taken_at: iso(takenAt),
    kept_until: iso(deleteAfter),
    jpeg: Buffer.from(jpeg).toString('base64'),
  }));
  const blocks = (await readBlocksOf(deps, scope, id)).items.map(
    ({ action, reason, contact, created_at, expires_at, ended_at }) => ({
      action,
      reason,
      contact,
      created_at,
      expires_at,
      ended_at,
    }),
  );
  const importedAt = await findImportTime(db, scope, id);
  const imported = importedAt === undefined ? null : iso(importedAt);
  const tickets = await ticketsOf(deps, scope, id);
  return { exported_at: iso(at), person, imported_at: imported, history, blocks, tickets, photos };
}

/** More than a person comes with in years. */
const MOST_TICKETS = 1_000;

async function ticketsOf(
  { db }: Pick<Ports, 'db'>,
  scope: Scope,
  id: string,
): Promise<PersonExport['tickets']> {
  const exported: PersonExport['tickets'] = [];
  for (const ticket of await listTicketsOfPerson(db, scope, id, MOST_TICKETS)) {
    const ways = await listEntriesOfTicket(db, scope, ticket.id);
    const first = ways.find(({ direction }) => direction === 'in');
    exported.push({
      name: ticket.name,
      kind: ticket.kind,
      order: ticket.party,
      note: ticket.note,
      // A ticket can be bound by a check at home, before its guest comes.
      came_at: first === undefined ? null : iso(first.at),
      ways: ways.map(({ direction, at, gateName }) => ({ direction, at: iso(at), gate: gateName })),
    });
  }
  return exported;
}

async function* allHistory({ db }: Pick<Ports, 'db'>, scope: Scope, id: string): AsyncGenerator<HistoryRow> {
  let after: { settledAt: number; id: string } | null = null;
  for (;;) {
    const rows: HistoryRow[] = await listHistory(db, scope, id, after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = { settledAt: last.settledAt, id: last.id };
  }
}

/** The run of a pass, without operators: what they did is not the person's data. */
async function runOf(
  deps: Pick<Ports, 'db' | 'clock'>,
  scope: Scope,
  sessionId: string | null,
): Promise<ExportedRun | null> {
  if (sessionId === null) return null;
  const { device, consent, metadata, timeline } = await readSessionDetail(deps, scope, sessionId, 'admin');
  return { device, consent, metadata, timeline: timeline.map((item) => ({ ...item, by: null })) };
}
