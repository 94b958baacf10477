/**
 * Imports people whom another service knew: their IDs, metadata and earlier verdicts. A face comes with the first check that
 * brings the ID. Nothing is metered, sent or matched. Repeating an import changes nothing, so one that was interrupted is repeated.
 */
import {
  type ImportProblem,
  type ImportReport,
  MOST_IMPORT_ROWS,
  MOST_REFUSED_LISTED,
} from '../../contract/console/people-import.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import {
  hasExternalId,
  type ImportRow,
  type RowProblem,
  rowOfCells,
  rowOfObject,
} from '../../domain/people/import-row.ts';
import type { Metadata } from '../../domain/runs/session-request.ts';
import type { Scope } from '../../domain/scope.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { findDefaultVerification } from '../../store/companies/verifications.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { insertPass } from '../../store/passes/passes.ts';
import { awaitsFirstFace, hasVerdict, insertImportedPerson } from '../../store/people/imports.ts';
import {
  bindExternalId,
  findExternalIdOwner,
  findPerson,
  insertPerson,
  touchPerson,
} from '../../store/people/people.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import { readCsv } from '../wire/csv.ts';

/** In one transaction, so that checks at the door continue in between. */
const BATCH = 200;

type Deps = Pick<Ports, 'db' | 'clock'>;
type Line = { line: number; row: ImportRow | RowProblem };
type Import = { bytes: Uint8Array; isRehearsal: boolean; actor: Actor };

/** @throws Refusal `csv_refused`, `import_not_json`, `import_without_ids`, `import_too_large` */
export async function importPeople(
  deps: Deps,
  scope: Scope,
  { bytes, isRehearsal, actor }: Import,
): Promise<ImportReport> {
  const { db, clock } = deps;
  const { lines, ignored } = await read(bytes, clock.now());
  const tally = newTally(lines.length, isRehearsal, ignored);
  // What the rows before would have made: a rehearsal writes nothing that it could read.
  const rehearsed: Rehearsed = new Map();
  for (let at = 0; at < lines.length; at += BATCH) {
    const batch = lines.slice(at, at + BATCH);
    if (isRehearsal) await countRows(db, scope, batch, tally, rehearsed);
    else
      addTo(
        tally,
        await db.tx(async (tx) => {
          // Counted once the batch is written: the driver may repeat a transaction.
          const own = newTally(0, false, []);
          await writeRows(tx, scope, { batch, tally: own, at: clock.now() });
          await audit(tx, scope, { tally: own, actor, at: clock.now() });
          return own;
        }, scope),
      );
  }
  return tally;
}

async function read(bytes: Uint8Array, now: number): Promise<{ lines: Line[]; ignored: string[] }> {
  const first = new TextDecoder()
    .decode(bytes.subarray(0, 64))
    .trimStart()
    .replace(/^\uFEFF/, '');
  if (/^[[{]/.test(first)) return { lines: linesOfJson(bytes, now), ignored: [] };
  const { header, rows, longLines } = await readCsv(bytes, { maxRows: MOST_IMPORT_ROWS });
  if (!hasExternalId(header)) throw new Refusal('import_without_ids');
  const lines: Line[] = rows.map(({ line, cells }) => ({ line, row: rowOfCells(header, cells, now) }));
  for (const line of longLines) lines.push({ line, row: { problem: 'too_many_cells', field: '' } });
  const ignored = header.flatMap((name, place) => (name === '' ? [String(place + 1)] : []));
  return { lines: lines.toSorted((a, b) => a.line - b.line), ignored };
}

/** A list, or `{"people": [...]}`. */
function linesOfJson(bytes: Uint8Array, now: number): Line[] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal('import_not_json');
  }
  const list: unknown = Array.isArray(value) ? value : (value as { people?: unknown } | null)?.people;
  if (!Array.isArray(list)) throw new Refusal('import_not_json');
  if (list.length > MOST_IMPORT_ROWS)
    throw new Refusal('import_too_large', { args: { max: MOST_IMPORT_ROWS } });
  return list.map((one: unknown, place) => ({ line: place + 1, row: rowOfObject(one, now) }));
}

const newTally = (rows: number, rehearsal: boolean, ignored: string[]): ImportReport => ({
  rehearsal,
  rows,
  new_people: 0,
  changed_people: 0,
  unchanged_people: 0,
  new_verdicts: 0,
  known_verdicts: 0,
  refused: 0,
  refused_rows: [],
  ignored_columns: ignored,
});

const COUNTS = [
  'new_people',
  'changed_people',
  'unchanged_people',
  'new_verdicts',
  'known_verdicts',
  'refused',
] as const satisfies (keyof ImportReport)[];

function addTo(tally: ImportReport, more: ImportReport): void {
  for (const name of COUNTS) tally[name] += more[name];
  tally.refused_rows.push(...more.refused_rows.slice(0, MOST_REFUSED_LISTED - tally.refused_rows.length));
}

function refuse(
  tally: ImportReport,
  line: number,
  { problem, field }: { problem: ImportProblem; field: string },
) {
  tally.refused += 1;
  if (tally.refused_rows.length < MOST_REFUSED_LISTED) tally.refused_rows.push({ line, problem, field });
}

/** Metadata and verdicts by external ID. */
type Rehearsed = Map<string, { metadata: Metadata; verdicts: Set<string> }>;

/** What changes: all that is other, but of a person who has been here since nothing that they brought themselves. */
const changesOf = (known: Metadata, sent: Metadata, hasVisited: boolean): Metadata =>
  Object.fromEntries(
    Object.entries(sent).filter(([name, value]) =>
      hasVisited ? !Object.hasOwn(known, name) : known[name] !== value,
    ),
  );

async function countRows(
  db: SqlReader,
  scope: Scope,
  batch: readonly Line[],
  tally: ImportReport,
  rehearsed: Rehearsed,
): Promise<void> {
  for (const { line, row } of batch) {
    if ('problem' in row) {
      refuse(tally, line, row);
      continue;
    }
    const { externalId, metadata, verdicts } = row;
    const owner = await findExternalIdOwner(db, scope, externalId);
    const person = owner && (await findPerson(db, scope, owner.personId));
    const before = rehearsed.get(externalId);
    const known = { ...person?.metadata, ...before?.metadata };
    const hasVisited = person !== undefined && !(await awaitsFirstFace(db, scope, person.id));
    const changes = changesOf(known, metadata, hasVisited);
    if (!person && !before) tally.new_people += 1;
    else if (Object.keys(changes).length > 0) tally.changed_people += 1;
    else tally.unchanged_people += 1;
    const seen = before?.verdicts ?? new Set<string>();
    for (const verdict of verdicts) {
      const key = JSON.stringify([verdict.status, verdict.at, verdict.group]);
      const isKnown =
        seen.has(key) || (person !== undefined && (await hasVerdict(db, scope, person.id, verdict)));
      tally[isKnown ? 'known_verdicts' : 'new_verdicts'] += 1;
      seen.add(key);
    }
    rehearsed.set(externalId, { metadata: { ...known, ...changes }, verdicts: seen });
  }
}

async function writeRows(
  tx: SqlTx,
  scope: Scope,
  { batch, tally, at }: { batch: readonly Line[]; tally: ImportReport; at: number },
): Promise<void> {
  const verification = await findDefaultVerification(tx, scope.companyId);
  if (!verification) throw new Error('A company has a default verification.');
  for (const { line, row } of batch) {
    if ('problem' in row) refuse(tally, line, row);
    else await writeRow(tx, scope, { row, verificationId: verification.id, tally, at });
  }
}

async function writeRow(
  tx: SqlTx,
  scope: Scope,
  of: { row: ImportRow; verificationId: string; tally: ImportReport; at: number },
): Promise<void> {
  const { row, verificationId, tally, at } = of;
  const { externalId, metadata, verdicts } = row;
  const owner = await findExternalIdOwner(tx, scope, externalId);
  const personId = owner?.personId ?? newId(at);
  if (owner === undefined) {
    const seenAt = Math.max(0, ...verdicts.map((verdict) => verdict.at)) || at;
    await insertPerson(tx, scope, personId, seenAt);
    await insertImportedPerson(tx, scope, personId, at);
    await bindExternalId(tx, scope, { personId, externalId, verificationId, at });
    await touchPerson(tx, scope, personId, { metadata, retentionDays: null, agreedAt: seenAt, at: seenAt });
    tally.new_people += 1;
  } else {
    const person = await findPerson(tx, scope, personId);
    if (!person) throw new Error('An external ID belongs to nobody.');
    const hasVisited = !(await awaitsFirstFace(tx, scope, personId));
    const changes = changesOf(person.metadata, metadata, hasVisited);
    const isChanged = Object.keys(changes).length > 0;
    // No visit: neither the time of the last one nor the agreed period changes.
    const seenAt = person.lastSeenAt;
    const visit = { retentionDays: null, agreedAt: seenAt, at: seenAt };
    if (isChanged) await touchPerson(tx, scope, personId, { ...visit, metadata: changes });
    tally[isChanged ? 'changed_people' : 'unchanged_people'] += 1;
  }
  for (const verdict of verdicts) {
    if (await hasVerdict(tx, scope, personId, verdict)) {
      tally.known_verdicts += 1;
      continue;
    }
    await insertPass(tx, scope, {
      id: newId(verdict.at),
      sessionId: null,
      verificationId,
      personId,
      status: verdict.status,
      // Why another service denied it is not known here.
      reasons: verdict.status === 'denied' ? ['manual_override'] : [],
      groups: [],
      group: verdict.group,
      declined: false,
      externalId,
      identity: null,
      score: null,
      settledAt: verdict.at,
      lockedAt: null,
      revokedAt: null,
      generation: 'v3',
    });
    tally.new_verdicts += 1;
  }
}

/** With each batch, so that nothing of an import that was interrupted is without an entry. */
async function audit(
  tx: SqlTx,
  scope: Scope,
  { tally, actor, at }: { tally: ImportReport; actor: Actor; at: number },
): Promise<void> {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, tally[name]]));
  const details = { count: tally.new_people + tally.changed_people, ...counts };
  const entry = { ...scope, at, actor, subject: scope.companyId, details };
  await appendAudit(tx, { ...entry, action: 'person.import' });
}
