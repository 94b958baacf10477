/**
 * `npm run package:update`: makes a signed update of an unpacked app, for installations that are a folder of versions; with `--deb`, of
 * Debian packages.
 * `-- keys` makes a key instead. A private key is always encrypted; its passphrase comes from standard input.
 */
import { execFile } from 'node:child_process';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { parseArgs, promisify } from 'node:util';
import { Value } from 'typebox/value';
import {
  hasTwice,
  UPDATE_CHANNELS,
  UPDATE_FORMAT,
  UpdateManifest,
} from '../../server/domain/updates/manifest.ts';
import {
  FILES_PREFIX,
  MANIFEST_NAME,
  SIGNATURE_NAME,
  tarEnd,
  tarHeader,
  tarPadding,
} from '../../server/services/updates/archive.ts';
import { acceptedKeys, MOST_KEYS, signManifest, updateKeyOf } from '../../server/services/updates/keys.ts';
import { SCHEMA_VERSION } from '../../server/store/schema/migrations.ts';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { packedFiles } from './packed.ts';

const PRODUCT = 'gatehouse';
const LAUNCHER = path.join(PROJECT_ROOT, 'assets/packaging/folder/gatehouse.sh');
const MAY_EXECUTE = 0o100;

export type UpdateInput = {
  /** The folder whose files are the new version. */
  folder: string;
  version: string;
  minFrom: string;
  kind?: UpdateManifest['kind'];
  channel?: UpdateManifest['channel'];
  schema?: number;
  platform?: string;
  arch?: string;
  product?: string;
  createdAt?: number;
  /** One or two private keys. */
  privateKeys: readonly KeyObject[];
};

/** @throws if a file's path or the manifest does not fit the format */
export async function makeUpdate(input: UpdateInput, target: string): Promise<UpdateManifest> {
  const { folder, privateKeys } = input;
  if (privateKeys.length < 1 || privateKeys.length > MOST_KEYS)
    throw new Error(`An update is signed with 1 to ${MOST_KEYS} keys.`);
  const manifest = await manifestOf(input);
  const bytes = Buffer.from(JSON.stringify(manifest));
  const signature = signManifest(
    bytes,
    privateKeys.map((privateKey) => ({ key: updateKeyOf(createPublicKey(privateKey)), privateKey })),
  );
  // Under its name it is always complete.
  const draft = `${target}.partial`;
  const file = await open(draft, 'w');
  try {
    const put = async (name: string, content: Buffer) => {
      await file.writeFile(
        Buffer.concat([tarHeader(name, content.length), content, tarPadding(content.length)]),
      );
    };
    await put(MANIFEST_NAME, bytes);
    await put(SIGNATURE_NAME, signature);
    for (const { path: name, size, executable } of manifest.files) {
      await file.writeFile(tarHeader(FILES_PREFIX + name, size, executable));
      for await (const chunk of createReadStream(path.join(folder, name)))
        await file.writeFile(chunk as Buffer);
      await file.writeFile(tarPadding(size));
    }
    await file.writeFile(tarEnd());
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, target);
  return manifest;
}

async function manifestOf(input: UpdateInput): Promise<UpdateManifest> {
  const names = (await packedFiles(input.folder)).map(({ name }) => name).sort();
  const files: UpdateManifest['files'] = [];
  for (const name of names) {
    const file = path.join(input.folder, name);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    const { size, mode } = await stat(file);
    const isExecutable = (mode & MAY_EXECUTE) !== 0;
    files.push({ path: name, size, sha256: hash.digest('hex'), ...(isExecutable && { executable: true }) });
  }
  const manifest: UpdateManifest = {
    format: UPDATE_FORMAT,
    product: input.product ?? PRODUCT,
    kind: input.kind ?? 'folder',
    version: input.version,
    min_from: input.minFrom,
    channel: input.channel ?? 'stable',
    created: new Date(input.createdAt ?? Date.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
    platform: input.platform ?? process.platform,
    arch: input.arch ?? process.arch,
    schema: input.schema ?? SCHEMA_VERSION,
    files,
  };
  const [wrong] = Value.Errors(UpdateManifest, manifest);
  if (wrong !== undefined || hasTwice(manifest))
    throw new Error(`The update does not fit its format: ${JSON.stringify(wrong ?? 'a path twice')}.`);
  return manifest;
}

/** What the folder of one version contains: the server, its models, its Node.js and what starts it. */
export async function fillFolder(unpacked: string, folder: string): Promise<void> {
  const resources = path.join(unpacked, 'resources');
  await cp(path.join(resources, 'app.asar.unpacked'), folder, { recursive: true });
  await cp(path.join(resources, 'models'), path.join(folder, '.cache/models'), { recursive: true });
  for (const [from, to] of [
    [process.execPath, 'node/bin/node'],
    [LAUNCHER, 'bin/gatehouse'],
  ] as const) {
    const file = path.join(folder, to);
    await mkdir(path.dirname(file), { recursive: true });
    await cp(from, file);
    await chmod(file, 0o755);
  }
}

/** @throws if a package has another version, or a name by which an installation would not find it */
export async function copyDebs(debs: readonly string[], version: string, folder: string): Promise<void> {
  for (const deb of debs) {
    const { stdout } = await promisify(execFile)('dpkg-deb', [
      '--show',
      '--showformat=${Package}_${Version}',
      deb,
    ]);
    const name = path.basename(deb);
    if (!stdout.endsWith(`_${version}`) || !name.startsWith(`${stdout}_`))
      throw new Error(
        `${name} contains ${stdout}, not version ${version} of the package that it is named after.`,
      );
    await cp(deb, path.join(folder, name));
  }
}

/** A new key: the private half in a new file, encrypted, and the public half as an entry of `keys.json`. */
export async function makeKey(file: string, passphrase: string): Promise<ReturnType<typeof updateKeyOf>> {
  if (passphrase === '') throw new Error('The passphrase on standard input is empty.');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase });
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' });
  return updateKeyOf(publicKey);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      unpacked: { type: 'string' },
      deb: { type: 'string', multiple: true },
      output: { type: 'string' },
      key: { type: 'string', multiple: true },
      from: { type: 'string' },
      channel: { type: 'string' },
    },
  });
  const passphrases = (await text(process.stdin)).split('\n');
  const [key] = values.key ?? [];
  if (key === undefined) throw new Error('--key FILE is missing: the private key, or where a new one goes.');
  if (positionals[0] === 'keys') {
    console.log(JSON.stringify(await makeKey(key, passphrases[0] ?? ''), null, 2));
    return;
  }
  const { version } = JSON.parse(await readFile(path.join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const channel = UPDATE_CHANNELS.find((each) => each === (values.channel ?? 'stable'));
  const minFrom = values.from;
  if (channel === undefined) throw new Error(`--channel is one of ${UPDATE_CHANNELS.join(', ')}.`);
  if (minFrom === undefined)
    throw new Error('--from VERSION is missing: the oldest version that may be updated.');
  const privateKeys = await Promise.all(
    (values.key ?? []).map(async (file, at) =>
      createPrivateKey({ key: await readFile(file), passphrase: passphrases[at] ?? '' }),
    ),
  );
  const accepted = new Set(acceptedKeys().map(({ id }) => id));
  const isKnown = privateKeys.some((each) => accepted.has(updateKeyOf(createPublicKey(each)).id));
  if (!isKnown) throw new Error('None of these keys is in server/services/updates/keys.json.');
  const output = values.output ?? path.join(PROJECT_ROOT, 'dist/packages');
  await mkdir(output, { recursive: true });
  const folder = await mkdtemp(path.join(output, 'update-'));
  try {
    const { deb: debs = [] } = values;
    const kind = debs.length === 0 ? 'folder' : 'deb';
    if (kind === 'deb') await copyDebs(debs, version, folder);
    else await fillFolder(values.unpacked ?? path.join(output, 'linux-unpacked'), folder);
    const target = path.join(output, `gatehouse-${version}${kind === 'deb' ? '-deb' : ''}.update`);
    await makeUpdate({ folder, kind, version, minFrom, channel, privateKeys }, target);
    console.log(target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await main();
