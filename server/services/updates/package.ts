/** An update of an installed Debian package: verified here, installed by the system’s own tools. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UpdateProblem } from '../../contract/console/errors.ts';
import { isDiskFull } from '../../domain/disk.ts';
import type { UpdateManifest } from '../../domain/updates/manifest.ts';
import { visibleLines } from '../../domain/visible.ts';
import { INSTALLATION } from '../../program-files.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { damaged, extract } from './archive.ts';
import { refuseUnsaved } from './install.ts';
import { here, type UpdateFile, verifyUpdate } from './verify.ts';
import type { UpdateKey } from './keys.ts';

/** The packages, and where each one has the program. */
const PACKAGES = { gatehouse: '/opt/Gatehouse', 'gatehouse-server': '/usr/lib/gatehouse' } as const;
export type PackageName = keyof typeof PACKAGES;

/** The person has to find the password, and `apt` may wait for another program. */
const MAY_TAKE_MS = 15 * 60_000;
const LOCK_MAY_TAKE_S = 60;
const MOST_SAID_CHARS = 2_000;
/** Exit codes of `pkexec`. */
const DISMISSED = 126;
const NOT_AUTHORISED = 127;

/** The Debian package that this program is part of. */
export function installedPackage(program = INSTALLATION, lists = '/var/lib/dpkg/info'): PackageName | null {
  const names = Object.keys(PACKAGES) as PackageName[];
  const isOf = (name: PackageName) =>
    `${program}/`.startsWith(`${PACKAGES[name]}/`) && existsSync(path.join(lists, `${name}.list`));
  return names.find(isOf) ?? null;
}

/** The place of the package among an update's files. @throws Refusal `update_refused` */
export function packageIn({ kind, files }: UpdateManifest, name: PackageName): number {
  const at = files.findIndex((file) => file.path.startsWith(`${name}_`) && file.path.endsWith('.deb'));
  if (kind !== 'deb' || at === -1)
    throw refused('other_kind', `The update has no Debian package “${name}”, which is installed here.`);
  return at;
}

export type SystemTools = { isRoot: boolean; pkexec: string; aptGet: string };
const SYSTEM: SystemTools = {
  isRoot: process.getuid?.() === 0,
  pkexec: '/usr/bin/pkexec',
  aptGet: '/usr/bin/apt-get',
};

type PackageInput = {
  name: PackageName;
  file: string;
  /** The newest version that was ever accepted here. */
  newest: string | null;
  /** The version that an admin agreed to; a file with another one is refused. */
  expected?: string;
  /** On PostgreSQL, unless an admin has backed the database up. */
  isDatabaseUnsaved: boolean;
  keys?: readonly UpdateKey[];
  tools?: SystemTools;
  onProgress?: (step: 'checking' | 'unpacking' | 'installing', share: number) => void;
};

/**
 * Root installs it at once; for anybody else, the system asks for an administrator.
 * @throws Refusal `update_refused`; only after `package_failed` the system may have begun
 */
export async function installPackage({
  name,
  file,
  newest,
  expected,
  isDatabaseUnsaved,
  keys,
  tools = SYSTEM,
  onProgress,
}: PackageInput): Promise<UpdateFile> {
  const update = await verifyUpdate(file, here(newest), keys, (share) => onProgress?.('checking', share));
  const { manifest, entries } = update;
  if (expected !== undefined && manifest.version !== expected)
    throw refused(
      'changed',
      `The file now has version ${manifest.version}, not ${expected}. Check it again.`,
    );
  const at = packageIn(manifest, name);
  refuseUnsaved(manifest.schema, isDatabaseUnsaved);
  const [entry, listed] = [entries[at], manifest.files[at]];
  if (entry === undefined || listed === undefined)
    throw damaged('The files of the update are not those that were signed.');
  onProgress?.('unpacking', 0);
  // Only this account can write to it, so what is installed is what was hashed.
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-update-'));
  try {
    const deb = path.join(folder, path.basename(listed.path));
    if ((await extract(file, entry, deb, false)) !== listed.sha256)
      throw damaged(`The update changed while it was unpacked: ${entry.name}.`);
    onProgress?.('installing', 0);
    await runApt(deb, tools);
    return update;
  } catch (error) {
    if (isDiskFull(error))
      throw refused('no_space', `The disk of ${folder} has too little space for the package.`, error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runApt(deb: string, { isRoot, pkexec, aptGet }: SystemTools): Promise<void> {
  const options = [`DPkg::Lock::Timeout=${LOCK_MAY_TAKE_S}`, 'Dpkg::Options::=--force-confold'];
  const install = [aptGet, 'install', '-y', ...options.flatMap((option) => ['-o', option]), deb];
  // Its own question on a terminal would wait where nobody sees it.
  const [program = '', ...args] = isRoot ? install : [pkexec, '--disable-internal-agent', ...install];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: MAY_TAKE_MS });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_SAID_CHARS)));
  const ended = await new Promise<number | NodeJS.Signals | Error>((resolve) => {
    child.once('error', resolve);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1));
  });
  if (ended === 0) return;
  const words = visibleLines(said.trim());
  if (!isRoot) {
    if (ended instanceof Error && (ended as NodeJS.ErrnoException).code === 'ENOENT')
      throw refused('no_pkexec', `${pkexec} could not be started. Install the package by hand.`, ended);
    if (ended === DISMISSED) throw refused('cancelled', 'The question for an administrator was cancelled.');
    if (ended === NOT_AUTHORISED)
      throw refused('not_authorised', `The system did not authorise the installation. ${words}`);
  }
  throw refused('package_failed', `The package was not installed (${String(ended)}). ${words}`);
}

const refused = (problem: UpdateProblem, message: string, cause?: unknown): Refusal =>
  new Refusal('update_refused', { args: { problem }, message, cause });
