/**
 * From the scan of a ticket to the decision that lets its guest in, written durably, with 100,000 tickets on the list and
 * two gates that scan at once: `--tickets=100000`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { numberOption, percentile } from '../testing/figures.ts';
import { venueEvent } from '../testing/store/rows.ts';
import { openDatabase } from '../server/data/folder.ts';
import type { Scope } from '../server/domain/scope.ts';
import { createCompany } from '../server/services/companies/companies.ts';
import { systemClock } from '../server/services/ports/clock.ts';
import { ticketHasher } from '../server/services/tickets/codes.ts';
import { scanAtPhone } from '../server/services/tickets/phone-tickets.ts';
import type { Database } from '../server/store/sql/port.ts';
import { insertPerson } from '../server/store/people/people.ts';
import type { PhoneOnDuty } from '../server/store/tickets/shifts.ts';
import { insertSource } from '../server/store/tickets/sources.ts';
import { bindTicket, insertTicket } from '../server/store/tickets/tickets.ts';
import { insertEvent } from '../server/store/venue/events.ts';
import type { BenchResult } from './support/report.ts';

const DEFAULT_TICKETS = 100_000;
const FEW_TICKETS = 1_000;
const GATES = 2;
const SCANS_PER_GATE = 200;
const WARM_UP_SCANS = 20;
const ROWS_PER_COMMIT = 5_000;
const MOST_MS = 50;

export async function run(): Promise<BenchResult[]> {
  const tickets = numberOption('tickets', DEFAULT_TICKETS);
  const baseline = percentile(await scanMany(FEW_TICKETS), 0.95);
  const value = percentile(await scanMany(tickets), 0.95);
  const name = `tickets: scan to admission, ${tickets} tickets, ${GATES} gates, 95th percentile`;
  return [
    {
      name,
      value,
      baseline,
      ratio: value / baseline,
      unit: 'ms',
      hold: `≤ ${MOST_MS} ms`,
      ok: value <= MOST_MS,
    },
  ];
}

/** @returns milliseconds of each scan; the baseline has few tickets */
async function scanMany(tickets: number): Promise<number[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
  const db = await openDatabase(dataDir);
  try {
    const phones = await fill(db, tickets);
    const deps = { db, clock: systemClock };
    const took: number[] = [];
    await Promise.all(
      phones.map(async (phone, gate) => {
        for (let scan = 0; scan < WARM_UP_SCANS + SCANS_PER_GATE; scan++) {
          // Spread over the list, and each code at one gate only.
          const ticket =
            (scan * GATES + gate) * Math.floor(tickets / (GATES * (WARM_UP_SCANS + SCANS_PER_GATE)));
          const startedMs = performance.now();
          const { verdict } = await scanAtPhone(deps, phone, { text: codeOf(ticket), direction: 'in' });
          if (verdict !== 'admit') throw new Error(`A scan said ${verdict}.`);
          if (scan >= WARM_UP_SCANS) took.push(performance.now() - startedMs);
        }
      }),
    );
    return took;
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const codeOf = (ticket: number): string => `CODE-${ticket}`;

/** An event with its list, whose guests were checked before, and two phones. */
async function fill(db: Database, tickets: number): Promise<PhoneOnDuty[]> {
  const company = await createCompany(db, systemClock, { name: 'Bench', actor: 'cli' });
  const scope: Scope = { companyId: company.company_id, partition: 'live' };
  const at = systemClock.now();
  const endsAt = at + 3_600_000;
  const times = { createdAt: at, updatedAt: at };
  const hash = await ticketHasher({ db, clock: systemClock });
  await db.tx(async (tx) => {
    const event = venueEvent(scope, company.default_verification_id, 'event', {
      startsAt: at,
      endsAt,
      ...times,
    });
    await insertEvent(tx, event);
    const source = {
      id: 'list',
      eventId: 'event',
      kind: 'list',
      name: 'List',
      config: {},
      state: {},
    } as const;
    await insertSource(tx, scope, { ...source, ...times });
  });
  for (let first = 0; first < tickets; first += ROWS_PER_COMMIT)
    await db.tx(async (tx) => {
      for (let index = first; index < Math.min(tickets, first + ROWS_PER_COMMIT); index++) {
        const id = `ticket-${index}`;
        await insertPerson(tx, scope, `person-${index}`, at);
        await insertTicket(tx, scope, {
          id,
          eventId: 'event',
          sourceId: 'list',
          codeHash: hash(codeOf(index)),
          code: null,
          externalId: null,
          name: `Guest ${index}`,
          kind: 'Day ticket',
          party: `order-${Math.floor(index / 4)}`,
          note: null,
          validFrom: null,
          validUntil: null,
          state: 'valid',
          rulesUnknown: false,
          ...times,
        });
        await bindTicket(tx, scope, { id, personId: `person-${index}`, at });
      }
    });
  return Array.from({ length: GATES }, (_, gate) => ({
    id: `phone-${gate}`,
    name: `Gate ${gate}`,
    role: 'steward',
    eventId: 'event',
    endsAt,
    ...scope,
  }));
}
