/**
 * The folder of an installation that updates itself: `versions/<version>` with one program each, `current`, a link to the one that
 * runs, and `update.json`, which says how far an update is. The link moves only after the new version has worked on the data, and back
 * unless it serves at its first start. So whatever ends in between, the next start, or the one after it, runs a version that works.
 */
import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import product from '../../../package.json' with { type: 'json' };
import { UPDATE_FAILURES, type UpdateFailure } from '../../domain/updates/manifest.ts';
import { INSTALLATION } from '../../program-files.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { syncFolder, writeDurably } from '../../store/sql/durable-file.ts';
import { connectLock, takes } from '../../store/sql/sqlite/file-lock.ts';

const VERSIONS = 'versions';
const LINK = 'current';
const JOURNAL = 'update.json';
const LOCK = 'update.lock';
/** Of an unfinished version's folder. */
export const UNFINISHED = '.tmp';

const common = {
  from: Type.String({ maxLength: 30 }),
  to: Type.String({ maxLength: 30 }),
  /** Epoch milliseconds. */
  at: Type.Integer(),
  actor: Type.String({ maxLength: 200 }),
};
const Journal = Type.Union([
  /** Unpacked and complete; the next start tries it. */
  Type.Object({ ...common, phase: Type.Literal('wanted') }),
  /** Until the new version has served. */
  Type.Object({
    ...common,
    phase: Type.Literal('trying'),
    /** From before, null on PostgreSQL and without data. */
    backup: Type.Union([Type.Null(), Type.String()]),
    /** Version of the database before. */
    schema: Type.Integer(),
    /** Whether the new version has been started as the service. */
    isStarted: Type.Boolean(),
  }),
  Type.Object({
    ...common,
    phase: Type.Literal('rolled_back'),
    why: Type.Unsafe<UpdateFailure>({ type: 'string', enum: UPDATE_FAILURES }),
    /** What the new version said last. */
    said: Type.String(),
    restored: Type.Boolean(),
    isRecorded: Type.Boolean(),
  }),
]);
export type Journal = Static<typeof Journal>;

export type UpdateHome = {
  folder: string;
  /** The version that runs. */
  version: string;
};

/** Where the running program is kept; null for one that is installed in another way, such as a Debian package. */
export function updateHome(program = INSTALLATION, version = product.version): UpdateHome | null {
  const versions = path.dirname(program);
  if (path.basename(versions) !== VERSIONS || path.basename(program) !== version) return null;
  return { folder: path.dirname(versions), version };
}

export const versionFolder = ({ folder }: UpdateHome, version: string): string =>
  path.join(folder, VERSIONS, version);

/** What starts a version, with the arguments of the command line. */
export const programOf = (home: UpdateHome, version: string): string =>
  path.join(versionFolder(home, version), 'bin/gatehouse');

const journalFile = ({ folder }: UpdateHome): string => path.join(folder, JOURNAL);

/** Null without an update. One that cannot be read counts as none: the link alone decides what runs. */
export async function readJournal(home: UpdateHome): Promise<Journal | null> {
  try {
    const value: unknown = JSON.parse(await readFile(journalFile(home), 'utf8'));
    return Value.Check(Journal, value) ? value : null;
  } catch {
    return null;
  }
}

export const writeJournal = (home: UpdateHome, journal: Journal): Promise<void> =>
  writeDurably(journalFile(home), JSON.stringify(journal));

export async function endJournal(home: UpdateHome): Promise<void> {
  await rm(journalFile(home), { force: true });
  syncFolder(home.folder);
}

/** From here on, the next start runs that version. */
export async function switchTo(home: UpdateHome, version: string): Promise<void> {
  const draft = path.join(home.folder, `${LINK}${UNFINISHED}`);
  await rm(draft, { force: true });
  await symlink(path.join(VERSIONS, version), draft);
  await rename(draft, path.join(home.folder, LINK));
  syncFolder(home.folder);
}

/** Removes unfinished versions, and all others but those that are named. */
export async function removeOtherVersions(home: UpdateHome, kept: readonly string[]): Promise<void> {
  const versions = path.join(home.folder, VERSIONS);
  for (const name of await readdir(versions))
    if (!kept.includes(name)) await rm(path.join(versions, name), { recursive: true, force: true });
}

/**
 * Does the work while no other process changes the installation.
 * @throws Refusal `update_refused`
 */
export async function alone<T>(home: UpdateHome, work: () => Promise<T>): Promise<T> {
  const lock = connectLock(path.join(home.folder, LOCK), 0);
  try {
    if (!takes(lock, 'BEGIN EXCLUSIVE'))
      throw new Refusal('update_refused', {
        args: { problem: 'under_way' },
        message: 'Another update is being installed here. Wait until it has ended.',
      });
    return await work();
  } finally {
    lock.close();
  }
}

/** Whether a version is there, by its program. */
export const isThere = (home: UpdateHome, version: string): boolean => existsSync(programOf(home, version));
