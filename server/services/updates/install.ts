/** Puts a verified update beside the running version, complete and durable, and asks the next start to try it. */
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import product from '../../../package.json' with { type: 'json' };
import { isDiskFull } from '../../domain/disk.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { sizeOfUpdate } from '../../domain/updates/manifest.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { countChecks } from '../../store/runs/session-checks.ts';
import { SCHEMA_VERSION } from '../../store/schema/migrations.ts';
import { syncFolder } from '../../store/sql/durable-file.ts';
import { writeSetting } from '../../store/settings.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { PASSES, sizeOf } from '../backup/service.ts';
import type { Ports } from '../ports/ports.ts';
import { damaged, extract } from './archive.ts';
import type { UpdateKey } from './keys.ts';
import {
  alone,
  endJournal,
  readJournal,
  removeOtherVersions,
  UNFINISHED,
  type UpdateHome,
  versionFolder,
  writeJournal,
} from './home.ts';
import { here, newestAccepted, NEWEST_SETTING, type UpdateFile, verifyUpdate } from './verify.ts';

/** A check that is judged takes a few seconds; the lease of a killed one ends after 30 s. */
const CHECKS_MAY_TAKE_MS = 60_000;
const LOOK_EVERY_MS = 500;
/** For what else is written meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024;

type InstallInput = {
  home: UpdateHome;
  file: string;
  actor: Actor;
  /** The database file and the folder of the backup made before; null on PostgreSQL. */
  data: { database: string; backups: string } | null;
  /** On PostgreSQL: an admin has backed the database up. */
  isDatabaseSaved: boolean;
  /** The keys that count; by default those of this version. */
  keys?: readonly UpdateKey[];
  /** The version that an admin agreed to; a file with another one is refused. */
  expected?: string;
  /** Called once if checks have to end first, with their number. */
  onWait?: (checks: number) => void;
  /** @param share of the file, 0 to 1 */
  onProgress?: (step: 'checking' | 'unpacking', share: number) => void;
};

/**
 * The running version stays as it is until it starts again.
 * @throws Refusal `update_refused`; nothing of the update stays then
 */
export function installUpdate(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { home, file, actor, data, isDatabaseSaved, keys, expected, onWait, onProgress }: InstallInput,
): Promise<UpdateFile> {
  return alone(home, async () => {
    const phase = (await readJournal(home))?.phase;
    if (phase === 'wanted' || phase === 'trying')
      throw refused('under_way', 'Another update waits for a restart of Gatehouse. Restart it first.');
    const update = await verifyUpdate(file, here(await newestAccepted(db)), keys, (share) =>
      onProgress?.('checking', share),
    );
    const { kind, version, schema } = update.manifest;
    if (expected !== undefined && version !== expected)
      throw refused('changed', `The file now has version ${version}, not ${expected}. Check it again.`);
    if (kind !== 'folder')
      throw refused('other_kind', 'This update is a Debian package, and Gatehouse is a folder here.');
    refuseUnsaved(schema, data === null && !isDatabaseSaved);
    // Leftovers of earlier attempts give their space back first.
    await removeOtherVersions(home, [home.version]);
    await checkSpace(home, update, data);
    await unpack(home, update, (share) => onProgress?.('unpacking', share));
    try {
      await waitForChecks({ db, clock }, onWait);
      const at = clock.now();
      // Before the commit: the running server follows it, finds the journal, and ends to start again.
      await writeJournal(home, { phase: 'wanted', from: home.version, to: version, at, actor });
      await db.tx((tx) => acceptUpdate(tx, update, { at, actor }));
    } catch (error) {
      await endJournal(home);
      await removeOtherVersions(home, [home.version]);
      throw error;
    }
    return update;
  });
}

/** From then on no older version is accepted. */
export async function acceptUpdate(
  tx: SqlTx,
  { manifest: { version }, key }: UpdateFile,
  { at, actor }: { at: number; actor: Actor },
): Promise<void> {
  await writeSetting(tx, NEWEST_SETTING, version);
  await appendAudit(tx, {
    at,
    actor,
    action: 'update.accept',
    companyId: null,
    partition: null,
    subject: 'installation',
    details: { from: product.version, to: version, key },
  });
  tx.afterCommit('health');
}

/**
 * Removes an update that waits for a restart.
 * @returns whether there was one
 * @throws Refusal `update_refused` while another process installs one
 */
export function withdrawUpdate(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { home, actor }: Pick<InstallInput, 'home' | 'actor'>,
): Promise<boolean> {
  return alone(home, async () => {
    const journal = await readJournal(home);
    if (journal?.phase !== 'wanted') return false;
    await endJournal(home);
    await removeOtherVersions(home, [home.version]);
    await db.tx(async (tx) => {
      await appendAudit(tx, {
        at: clock.now(),
        actor,
        action: 'update.withdraw',
        subject: 'installation',
        details: { from: journal.from, to: journal.to },
      });
      tx.afterCommit('health');
    });
    return true;
  });
}

/** @throws Refusal `update_refused` if the update changes a database on PostgreSQL of which nobody has said that it is saved */
export function refuseUnsaved(schema: number, isUnsaved: boolean): void {
  if (schema > SCHEMA_VERSION && isUnsaved)
    throw refused(
      'database_unsaved',
      'The update changes the database on PostgreSQL, and only a backup leads back. Make one, then add --database-is-saved.',
    );
}

const refused = (
  problem: 'under_way' | 'other_kind' | 'database_unsaved' | 'changed',
  message: string,
): Refusal => new Refusal('update_refused', { args: { problem }, message });

async function waitForChecks(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  onWait: InstallInput['onWait'],
): Promise<void> {
  const until = performance.now() + CHECKS_MAY_TAKE_MS;
  for (let isFirst = true; ; isFirst = false) {
    const running = await countChecks(db, clock.now());
    if (running === 0) return;
    if (isFirst) onWait?.(running);
    if (performance.now() > until)
      throw new Refusal('update_refused', {
        args: { problem: 'checks_running' },
        message: `Checks of guests have been running for a minute (${running} now). Nothing was installed. Choose a quieter time.`,
      });
    await sleep(LOOK_EVERY_MS);
  }
}

const noSpace = (bytes: number, folder: string, cause?: unknown): Refusal =>
  new Refusal('update_refused', {
    args: { problem: 'no_space' },
    message: `The disk of ${folder} has too little space: the update and the backup before it need ${Math.ceil(bytes / 1e6)} MB. Nothing was installed.`,
    cause,
  });

async function checkSpace(
  { folder }: UpdateHome,
  { manifest }: UpdateFile,
  data: InstallInput['data'],
): Promise<void> {
  const own = sizeOfUpdate(manifest) + SPARE_BYTES;
  const backup = data === null ? 0 : PASSES * (await sizeOf(data.database)) + SPARE_BYTES;
  const dataFolder = data === null ? folder : path.dirname(data.database);
  const isSameDisk = (await stat(folder)).dev === (await stat(dataFolder)).dev;
  const needs = isSameDisk
    ? [{ at: folder, bytes: own + backup }]
    : [
        { at: folder, bytes: own },
        { at: dataFolder, bytes: backup },
      ];
  for (const { at, bytes } of needs) {
    const disk = await statfs(at);
    // Some network disks do not say how large they are.
    if (disk.blocks > 0 && disk.bavail * disk.bsize < bytes) throw noSpace(bytes, at);
  }
}

/** Complete under its name, or not there at all. @throws Refusal `update_refused` */
async function unpack(
  home: UpdateHome,
  { file, manifest, entries }: UpdateFile,
  onProgress: (share: number) => void,
): Promise<void> {
  const target = versionFolder(home, manifest.version);
  const draft = `${target}${UNFINISHED}`;
  try {
    await mkdir(draft);
    const folders = new Set([draft]);
    const whole = sizeOfUpdate(manifest);
    let written = 0;
    for (const [at, entry] of entries.entries()) {
      const listed = manifest.files[at];
      if (listed === undefined) throw damaged('The files of the update are not those that were signed.');
      const place = path.join(draft, ...listed.path.split('/'));
      // Hashed again, because the file may have changed since it was verified.
      if ((await extract(file, entry, place, listed.executable === true)) !== listed.sha256)
        throw damaged(`The update changed while it was unpacked: ${entry.name}.`);
      onProgress((written += entry.bytes) / whole);
      for (let above = path.dirname(place); !folders.has(above); above = path.dirname(above))
        folders.add(above);
    }
    for (const folder of folders) syncFolder(folder);
    await rename(draft, target);
    syncFolder(path.dirname(target));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (isDiskFull(error)) throw noSpace(sizeOfUpdate(manifest), home.folder, error);
    throw error;
  }
}
