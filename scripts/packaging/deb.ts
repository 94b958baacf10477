/**
 * `npm run package:deb`: makes two Debian packages of an unpacked app, with the tools of Debian alone: `gatehouse`, the
 * desktop app, and `gatehouse-server`, the service with its account, unit and command line. With `--offline` a folder
 * has them with everything that they depend on, for a machine without a network.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { LICENCES_FILE } from './licences.ts';
import { packedFiles } from './packed.ts';

const runFile = promisify(execFile);
const TEMPLATES = path.join(PROJECT_ROOT, 'assets/packaging/deb');
const ICON_PIXELS = [16, 32, 48, 64, 128, 256, 512];
const KIBIBYTE = 1024;
/** Debian's names of the machines that Node.js names otherwise. */
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** What the app's programs load at the start. Ubuntu 24.04 and Debian 13 renamed some. */
const DESKTOP_DEPENDS = [
  'libasound2 | libasound2t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libc6 (>= 2.28)',
  'libcups2 | libcups2t64',
  'libdrm2',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libsecret-1-0',
  'libuuid1',
  // Opened while the app runs, so no list of linked libraries names it.
  'libx11-xcb1',
  'libxss1',
  'libxtst6',
  'util-linux',
  'xdg-utils',
];
const SERVER_DEPENDS = ['init-system-helpers', 'libc6 (>= 2.28)', 'libstdc++6', 'passwd', 'util-linux'];

type Package = {
  name: string;
  summary: string;
  depends: readonly string[];
  conflicts: string;
  /** Names of maintainer scripts in the templates. */
  scripts: readonly string[];
  /** Settings that an upgrade keeps. */
  settings: readonly string[];
  /** Puts the files below the root folder. */
  fill: (root: string) => Promise<void>;
};

type Source = {
  /** The folder that `electron-builder --linux dir` makes. */
  unpacked: string;
  version: string;
  /** `Name <address>` of who distributes it. Without one, dpkg warns whenever it runs. */
  maintainer: string;
};

const template = (name: string) => path.join(TEMPLATES, name);

async function put(from: string, to: string, mode = 0o644): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await cp(from, to);
  await chmod(to, mode);
}

const desktop = ({ unpacked }: Source): Package => ({
  name: 'gatehouse',
  summary: 'Human verification for venues: the desktop app',
  depends: DESKTOP_DEPENDS,
  conflicts: 'gatehouse-server',
  scripts: ['postinst', 'postrm'],
  settings: [],
  async fill(root) {
    await cp(unpacked, path.join(root, 'opt/Gatehouse'), { recursive: true });
    await mkdir(path.join(root, 'usr/bin'), { recursive: true });
    await symlink('/opt/Gatehouse/gatehouse', path.join(root, 'usr/bin/gatehouse-desktop'));
    await put(template('gatehouse.desktop'), path.join(root, 'usr/share/applications/gatehouse.desktop'));
    await put(template('apparmor.profile'), path.join(root, 'usr/share/gatehouse/apparmor.profile'));
    for (const pixels of ICON_PIXELS) {
      const size = `${pixels}x${pixels}`;
      const icon = path.join(root, `usr/share/icons/hicolor/${size}/apps/gatehouse.png`);
      await put(path.join(PROJECT_ROOT, `assets/icons/${size}.png`), icon);
    }
  },
});

const server = ({ unpacked }: Source): Package => ({
  name: 'gatehouse-server',
  summary: 'Human verification for venues: the service without a window',
  depends: SERVER_DEPENDS,
  conflicts: 'gatehouse',
  scripts: ['postinst', 'prerm', 'postrm'],
  settings: ['/etc/default/gatehouse'],
  async fill(root) {
    const home = path.join(root, 'usr/lib/gatehouse');
    const resources = path.join(unpacked, 'resources');
    await cp(path.join(resources, 'app.asar.unpacked'), home, { recursive: true });
    await cp(path.join(resources, 'models'), path.join(home, 'models'), { recursive: true });
    // The app's own Node.js is inside Electron, which only a window needs.
    await put(process.execPath, path.join(home, 'node/bin/node'), 0o755);
    await put(template('gatehouse.sh'), path.join(root, 'usr/bin/gatehouse'), 0o755);
    await put(template('gatehouse.service'), path.join(root, 'usr/lib/systemd/system/gatehouse.service'));
    await put(template('gatehouse.default'), path.join(root, 'etc/default/gatehouse'), 0o640);
  },
});

/** `md5sums`, by which `dpkg --verify` finds damaged files. */
async function sumsOf(root: string, names: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const name of names) {
    const sum = createHash('md5').update(await readFile(path.join(root, name)));
    lines.push(`${sum.digest('hex')}  ${name}\n`);
  }
  return lines.join('');
}

async function build(one: Package, { version, maintainer }: Source, output: string): Promise<string> {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`There is no Debian package for ${process.arch}.`);
  // Beside the result, because a folder of temporary files may be too small.
  const root = await mkdtemp(path.join(output, `${one.name}-`));
  try {
    await chmod(root, 0o755);
    await one.fill(root);
    const papers = path.join(root, `usr/share/doc/${one.name}`);
    await put(path.join(PROJECT_ROOT, 'LICENSE'), path.join(papers, 'copyright'));
    await put(path.join(PROJECT_ROOT, LICENCES_FILE), path.join(papers, LICENCES_FILE));
    const files = await packedFiles(root);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const control = path.join(root, 'DEBIAN');
    await mkdir(control);
    const unchanged = files.map(({ name }) => name).filter((name) => !one.settings.includes(`/${name}`));
    await writeFile(path.join(control, 'md5sums'), await sumsOf(root, unchanged.sort()));
    if (one.settings.length > 0) {
      await writeFile(path.join(control, 'conffiles'), `${one.settings.join('\n')}\n`);
    }
    for (const script of one.scripts) {
      await put(template(`${one.name}.${script}`), path.join(control, script), 0o755);
    }
    await writeFile(
      path.join(control, 'control'),
      `Package: ${one.name}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(bytes / KIBIBYTE)}
Depends: ${one.depends.join(', ')}
Conflicts: ${one.conflicts}
Section: misc
Priority: optional
Description: ${one.summary}
 Gatehouse checks at a venue's door that each guest is a live person who
 hasn't been through before. It works without a network.
`,
    );
    const file = path.join(output, `${one.name}_${version}_${architecture}.deb`);
    await runFile('dpkg-deb', ['--build', '--root-owner-group', '-Zzstd', root, file]);
    return file;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Both packages, made in the folder.
 * @returns their files, the desktop app first
 * @throws if `dpkg-deb` is missing or fails
 */
export async function makeDebs(source: Source, output: string): Promise<string[]> {
  await mkdir(output, { recursive: true });
  const files: string[] = [];
  for (const one of [desktop(source), server(source)]) files.push(await build(one, source, output));
  return files;
}

/**
 * A folder with the packages and all that they need on a Debian of this machine's release, with an index for `apt`. What
 * a system has already is in it too, because nobody knows the system.
 * @throws if `apt-get` or `dpkg-scanpackages` is missing or fails
 */
export async function makeOfflineFolder(debs: readonly string[], folder: string): Promise<void> {
  await mkdir(path.join(folder, 'partial'), { recursive: true });
  const nothingInstalled = path.join(folder, 'status');
  await writeFile(nothingInstalled, '');
  for (const deb of debs) {
    await runFile('apt-get', [
      ...['install', '--yes', '--no-install-recommends', '--download-only'],
      ...['-o', `Dir::State::status=${nothingInstalled}`, '-o', `Dir::Cache::archives=${folder}`],
      ...['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root', deb],
    ]);
    await cp(deb, path.join(folder, path.basename(deb)));
  }
  await rm(nothingInstalled);
  await rm(path.join(folder, 'partial'), { recursive: true });
  const { stdout } = await runFile('dpkg-scanpackages', ['--multiversion', '.'], {
    cwd: folder,
    maxBuffer: 64 * KIBIBYTE ** 2,
  });
  await writeFile(path.join(folder, 'Packages'), stdout);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      unpacked: { type: 'string' },
      output: { type: 'string' },
      maintainer: { type: 'string' },
      offline: { type: 'boolean' },
    },
  });
  const { maintainer } = values;
  if (maintainer === undefined) {
    throw new Error('--maintainer "NAME <ADDRESS>" is missing: it names who distributes the package.');
  }
  const { version } = JSON.parse(await readFile(path.join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const output = values.output ?? path.join(PROJECT_ROOT, 'dist/packages');
  const unpacked = values.unpacked ?? path.join(output, 'linux-unpacked');
  const made = await makeDebs({ unpacked, version, maintainer }, output);
  if (values.offline === true) {
    const folder = path.join(output, `gatehouse-${version}-offline`);
    await makeOfflineFolder(made, folder);
    made.push(folder);
  }
  for (const file of made) console.log(file);
}
