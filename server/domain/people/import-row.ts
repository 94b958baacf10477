/** One row of an import, from a CSV line or a JSON object: checked, and in one form. */
import type { ImportProblem } from '../../contract/console/people-import.ts';
import { MAX_ID_LENGTH } from '../../contract/text-bounds.ts';
import type { Metadata } from '../runs/session-request.ts';

export type ImportedVerdict = { status: 'approved' | 'denied'; at: number; group: string | null };
export type ImportRow = { externalId: string; metadata: Metadata; verdicts: ImportedVerdict[] };
export type RowProblem = { problem: ImportProblem; field: string };

/** As of `initialize`. */
const MOST_FIELDS = 50;
const MAX_FIELD_NAME = 64;
const MAX_FIELD_VALUE = 1_024;
/** Of one person in one JSON object. */
const MOST_VERDICTS = 100;

/** Columns with a meaning, as exports of several services name them. */
type Column = 'external_id' | 'verdict' | 'verdict_at' | 'group';
const COLUMNS: ReadonlyMap<string, Column> = new Map([
  ['externalid', 'external_id'],
  ['verdict', 'verdict'],
  ['status', 'verdict'],
  ['verdictat', 'verdict_at'],
  ['settledat', 'verdict_at'],
  ['group', 'group'],
]);
const VERDICTS: ReadonlyMap<string, ImportedVerdict['status']> = new Map([
  ['approved', 'approved'],
  ['passed', 'approved'],
  ['verified', 'approved'],
  ['denied', 'denied'],
  ['rejected', 'denied'],
]);
/** With a zone: another service's local time is not this machine's. A day alone is its beginning in UTC. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))?$/;

/** The meaning of a column; another one is metadata under its name. */
const columnOf = (name: string): Column | undefined =>
  COLUMNS.get(name.toLowerCase().replaceAll(/[\s_-]/g, ''));

export const hasExternalId = (header: readonly string[]): boolean =>
  header.some((name) => columnOf(name) === 'external_id');

/** @param cells as many as the header has; an empty one says nothing */
export function rowOfCells(
  header: readonly string[],
  cells: readonly string[],
  now: number,
): ImportRow | RowProblem {
  const known: Partial<Record<Column, string>> = {};
  const metadata: Metadata = {};
  for (const [place, name] of header.entries()) {
    const cell = (cells[place] ?? '').trim();
    if (cell === '' || name === '') continue;
    const column = columnOf(name);
    if (column === undefined) metadata[name.replace(/^metadata\./, '')] = cell;
    else known[column] ??= cell;
  }
  const verdict =
    known.verdict === undefined
      ? []
      : [{ status: known.verdict, at: known.verdict_at, group: known.group ?? null }];
  return checked({ external_id: known.external_id, metadata, verdicts: verdict }, now);
}

/** An object `{external_id, metadata?, verdicts?: [{status, at, group?}]}`. */
export function rowOfObject(value: unknown, now: number): ImportRow | RowProblem {
  if (!isRecord(value)) return { problem: 'not_an_object', field: '' };
  return checked(value, now);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checked(
  { external_id: id, metadata = {}, verdicts = [] }: Record<string, unknown>,
  now: number,
): ImportRow | RowProblem {
  // A number in JSON is as good as its text: other services' IDs often are.
  const externalId = typeof id === 'number' ? String(id) : id;
  if (typeof externalId !== 'string' || externalId.trim() === '')
    return { problem: 'no_external_id', field: 'external_id' };
  if (externalId.trim().length > MAX_ID_LENGTH) return { problem: 'external_id_long', field: 'external_id' };
  const badField = problemIn(metadata);
  if (badField) return badField;
  if (!Array.isArray(verdicts) || verdicts.length > MOST_VERDICTS)
    return { problem: 'bad_verdict', field: 'verdicts' };
  const judged: ImportedVerdict[] = [];
  for (const one of verdicts as unknown[]) {
    const verdict = verdictOf(one, now);
    if ('problem' in verdict) return verdict;
    judged.push(verdict);
  }
  return { externalId: externalId.trim(), metadata: metadata as Metadata, verdicts: judged };
}

function problemIn(metadata: unknown): RowProblem | null {
  if (!isRecord(metadata)) return { problem: 'bad_metadata', field: 'metadata' };
  const fields = Object.entries(metadata);
  if (fields.length > MOST_FIELDS) return { problem: 'too_much_metadata', field: '' };
  for (const [field, value] of fields) {
    const isText = typeof value === 'string' && value !== '' && value.length <= MAX_FIELD_VALUE;
    const isPlain = typeof value === 'boolean' || Number.isFinite(value);
    if (field === '' || field.length > MAX_FIELD_NAME || !(isText || isPlain))
      return { problem: 'bad_metadata', field: field.slice(0, MAX_FIELD_NAME) };
  }
  return null;
}

function verdictOf(value: unknown, now: number): ImportedVerdict | RowProblem {
  if (!isRecord(value)) return { problem: 'bad_verdict', field: 'verdicts' };
  const status =
    typeof value['status'] === 'string' ? VERDICTS.get(value['status'].trim().toLowerCase()) : undefined;
  if (status === undefined) return { problem: 'bad_verdict', field: 'verdict' };
  const time = value['at'];
  if (time === undefined || time === null) return { problem: 'no_verdict_time', field: 'verdict_at' };
  const text = typeof time === 'string' ? time.trim() : '';
  const at = TIME.test(text) ? Date.parse(text) : NaN;
  // A day that does not exist is refused, not moved to the next month; so is one before 1970, whose IDs would sort last.
  if (!(at >= 0) || !isSameDay(text)) return { problem: 'bad_verdict_time', field: 'verdict_at' };
  if (at > now) return { problem: 'verdict_in_future', field: 'verdict_at' };
  const group = value['group'] ?? null;
  if (group !== null && (typeof group !== 'string' || group.length > MAX_ID_LENGTH))
    return { problem: 'group_long', field: 'group' };
  return { status, at, group: group === null || group.trim() === '' ? null : group.trim() };
}

function isSameDay(text: string): boolean {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(day);
}
