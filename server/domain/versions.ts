/**
 * The version of a record: a digest of each of its fields, by the field's path. Compared with the values that a form sends and
 * those stored by now, it tells the changes of the form from those that others made since. It needs no column, so changes by the
 * command line or an older server count, too.
 */
import { createHash } from 'node:crypto';

export type Fields = Readonly<Record<string, unknown>>;
/** JSON of a value that has no fields of its own, by its path: `config.limit.kind`. */
type Leaves = Map<string, string>;

/** Enough to tell a record's own values apart. */
const DIGEST_CHARS = 12;

const digestOf = (json: string): string =>
  createHash('sha256').update(json).digest('base64url').slice(0, DIGEST_CHARS);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function leavesOf(fields: Fields, above = '', leaves: Leaves = new Map()): Leaves {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (isFields(value)) leavesOf(value, `${above}${name}.`, leaves);
    else leaves.set(above + name, JSON.stringify(value));
  }
  return leaves;
}

/** Opaque to clients. */
export const versionOf = (fields: Fields): string =>
  encode(new Map([...leavesOf(fields)].map(([path, json]) => [path, digestOf(json)])));

const encode = (digests: ReadonlyMap<string, string>): string =>
  Buffer.from(JSON.stringify(Object.fromEntries(digests))).toString('base64url');

/** Of a version that is not ours, nothing is known. */
function decode(version: string): Map<string, string> {
  try {
    const known: unknown = JSON.parse(Buffer.from(version, 'base64url').toString());
    return new Map(
      Object.entries(isFields(known) ? known : {}).filter(
        (pair): pair is [string, string] => typeof pair[1] === 'string',
      ),
    );
  } catch {
    return new Map();
  }
}

export type FieldConflict = { field: string; yours: unknown; theirs: unknown };
export type Merge<T> = {
  /** Whole values of the fields that the form changes. */
  change: Partial<T>;
  conflicts: FieldConflict[];
  /** The form's version, with the present values of the fields in conflict: sent with it, the form replaces those. */
  version: string;
};

/**
 * The changes of a form: a field that it sends as it was read stays as it is stored by now.
 * @param version with which the form was opened
 * @param current values that are stored now
 * @param sent fields of the form
 */
export function mergeFields<T extends Fields>(
  version: string,
  current: T,
  sent: Readonly<{ [Name in keyof T]?: unknown }>,
): Merge<T> {
  const read = decode(version);
  const stored = leavesOf(current);
  const wanted = leavesOf(sent);
  const merged: Leaves = new Map();
  const conflicts: FieldConflict[] = [];
  const changed = new Set<string>();
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
  const isOf = (path: string) => names.some((name) => path === name || path.startsWith(`${name}.`));
  for (const path of new Set([...stored.keys(), ...wanted.keys(), ...read.keys()])) {
    if (!isOf(path)) continue;
    const [theirs, yours] = [stored.get(path), wanted.get(path)];
    const isUntouched = digestOrNone(yours) === read.get(path);
    const isConflict = !isUntouched && yours !== theirs && digestOrNone(theirs) !== read.get(path);
    if (isConflict) {
      conflicts.push({ field: path, yours: valueOf(yours), theirs: valueOf(theirs) });
      if (theirs === undefined) read.delete(path);
      else read.set(path, digestOf(theirs));
    }
    const kept = isUntouched ? theirs : yours;
    if (kept !== theirs) changed.add(path.split('.')[0] ?? path);
    if (kept !== undefined) merged.set(path, kept);
  }
  const change = Object.fromEntries([...changed].map((name) => [name, rebuilt(merged, name)])) as Partial<T>;
  return { change, conflicts, version: encode(read) };
}

const digestOrNone = (json: string | undefined): string | undefined =>
  json === undefined ? undefined : digestOf(json);

/** Null for a field that is not there. */
const valueOf = (json: string | undefined): unknown => (json === undefined ? null : JSON.parse(json));

/** The value at a path, put together from its leaves. */
function rebuilt(leaves: Leaves, path: string): unknown {
  const own = leaves.get(path);
  if (own !== undefined) return JSON.parse(own);
  const below = [...leaves.keys()].flatMap((leaf) =>
    leaf.startsWith(`${path}.`) ? (leaf.slice(path.length + 1).split('.')[0] ?? []) : [],
  );
  // Each becomes a field of its own, whatever its name.
  return Object.fromEntries([...new Set(below)].map((name) => [name, rebuilt(leaves, `${path}.${name}`)]));
}
