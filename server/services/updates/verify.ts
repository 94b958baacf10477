/** Whether a file is an update for this installation. Reads all of it and changes nothing. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Value } from 'typebox/value';
import product from '../../../package.json' with { type: 'json' };
import type { UpdateProblem } from '../../contract/console/errors.ts';
import { diskReasonOf } from '../../domain/disk.ts';
import {
  hasTwice,
  type Here,
  type ManifestProblem,
  problemOf,
  sizeOfUpdate,
  UPDATE_FORMAT,
  UpdateManifest,
} from '../../domain/updates/manifest.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { SCHEMA_VERSION } from '../../store/schema/migrations.ts';
import { readSetting } from '../../store/settings.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import {
  type ArchiveEntry,
  damaged,
  FILES_PREFIX,
  hashOf,
  MANIFEST_NAME,
  readAt,
  readEntries,
  SIGNATURE_NAME,
} from './archive.ts';
import { acceptedKeys, signerOf, type UpdateKey } from './keys.ts';

export const PRODUCT = 'gatehouse';
/** Bounds what is read before the signature is known. */
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;
const MOST_SIGNATURE_BYTES = 4_096;
const MOST_ENTRIES = 50_002;
const NEWEST_SETTING = 'updates.newest';

export type UpdateFile = {
  file: string;
  manifest: UpdateManifest;
  /** ID of the key that has signed it. */
  key: string;
  /** Of the manifest's files, in its order. */
  entries: ArchiveEntry[];
};

const refused = (problem: UpdateProblem, message: string): Refusal =>
  new Refusal('update_refused', { args: { problem }, message });

/** The newest version that was ever accepted on this data; null if none was. */
export const newestAccepted = (db: SqlReader): Promise<string | null> =>
  readSetting<string>(db, NEWEST_SETTING);
export { NEWEST_SETTING };

export const here = (newest: string | null): Here => ({
  product: PRODUCT,
  version: product.version,
  platform: process.platform,
  arch: process.arch,
  newest,
  schema: SCHEMA_VERSION,
});

/**
 * Reads an update and checks, in this order, its signature, what it is for, and every file in it.
 * @param onProgress gets the share of its files that was read, 0 to 1
 * @throws Refusal `update_refused`
 */
export async function verifyUpdate(
  file: string,
  place: Here,
  accepted: readonly UpdateKey[] = acceptedKeys(),
  onProgress: (share: number) => void = () => undefined,
): Promise<UpdateFile> {
  if (accepted.length === 0)
    throw refused(
      'no_keys',
      'This build has no key for updates, so it accepts none. Install the new version by hand.',
    );
  // A pipe would wait for a writer. Windows has neither the pipe nor the flag, which counts as 0 there.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch((error: unknown) => {
    throw refused('unreadable', `${file}: ${diskReasonOf(error) ?? 'it cannot be read'}.`);
  });
  try {
    const update = await readSigned(file, handle, accepted);
    const problem = problemOf(update.manifest, place);
    if (problem !== null) throw refused(problem, wordsOf(problem, update.manifest, place));
    const whole = sizeOfUpdate(update.manifest);
    let read = 0;
    for (const [at, entry] of update.entries.entries()) {
      if ((await hashOf(file, entry)) !== update.manifest.files[at]?.sha256)
        throw damaged(`The update is damaged: ${entry.name} is not what was signed.`);
      onProgress((read += entry.bytes) / whole);
    }
    return update;
  } finally {
    await handle.close();
  }
}

async function readSigned(
  file: string,
  handle: FileHandle,
  accepted: readonly UpdateKey[],
): Promise<UpdateFile> {
  if (!(await handle.stat()).isFile()) throw refused('unreadable', `${file} is not a file.`);
  const [first, second, ...entries] = await readEntries(handle, MOST_ENTRIES);
  const isOurs =
    first?.name === MANIFEST_NAME &&
    second?.name === SIGNATURE_NAME &&
    first.bytes <= MOST_MANIFEST_BYTES &&
    second.bytes <= MOST_SIGNATURE_BYTES;
  if (!isOurs) throw refused('unreadable', `${file} is not an update of Gatehouse.`);
  const bytes = await readAt(handle, first.offset, first.bytes);
  const signer = signerOf(bytes, await readAt(handle, second.offset, second.bytes), accepted);
  if (signer === 'unknown')
    throw refused(
      'unknown_key',
      `The update is signed with a key that this version does not accept. Accepted: ${accepted.map(({ id }) => id).join(', ')}.`,
    );
  if (signer === 'wrong') throw damaged('The update was changed after it was signed. Get it again.');
  const manifest = manifestOf(bytes);
  const isComplete =
    entries.length === manifest.files.length &&
    entries.every((entry, at) => {
      const listed = manifest.files[at];
      return entry.name === `${FILES_PREFIX}${listed?.path ?? ''}` && entry.bytes === listed?.size;
    });
  if (!isComplete) throw damaged('The files of the update are not those that were signed.');
  return { file, manifest, key: signer.key, entries };
}

/** It was signed, so what this version cannot read is from a newer one. @throws Refusal `update_refused` */
function manifestOf(bytes: Buffer): UpdateManifest {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  if (!Value.Check(UpdateManifest, value) || hasTwice(value))
    throw refused(
      'step_too_large',
      `The update has a format that this version does not know (it knows ${UPDATE_FORMAT}). Install a version in between first.`,
    );
  return value;
}

function wordsOf(problem: ManifestProblem, manifest: UpdateManifest, place: Here): string {
  switch (problem) {
    case 'other_product':
      return `The update is for ${manifest.product}, not for ${place.product}.`;
    case 'other_system':
      return `The update is for ${manifest.platform} on ${manifest.arch}. This is ${place.platform} on ${place.arch}.`;
    case 'installed':
      return `Version ${place.version} runs already.`;
    case 'older':
      return `Version ${manifest.version} is older than ${place.newest ?? place.version}, which was accepted here.`;
    case 'step_too_large':
      return `Version ${manifest.version} can be installed from ${manifest.min_from} on, and this is ${place.version}. Install a version in between first.`;
  }
}

/** What an admin wants to know before they install it. */
export const summaryOf = ({ manifest, key }: UpdateFile) => ({
  version: manifest.version,
  from: product.version,
  kind: manifest.kind,
  channel: manifest.channel,
  created_at: manifest.created,
  platform: manifest.platform,
  arch: manifest.arch,
  bytes: sizeOfUpdate(manifest),
  files: manifest.files.length,
  signed_by: key,
  changes_database: manifest.schema > SCHEMA_VERSION,
});
