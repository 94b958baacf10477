/** Updates of a Debian package: what is installed is what was signed, and each way in which the system can refuse. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import product from '../../../package.json' with { type: 'json' };
import { copyDebs, makeUpdate } from '../../../scripts/packaging/update.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { updateKeyOf } from './keys.ts';
import { installedPackage, installPackage, type SystemTools } from './package.ts';
import { createUpdateService } from './service.ts';

const NEW = '9.1.0';
const NAME = 'gatehouse';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const keys = [updateKeyOf(publicKey)];
const hasDpkg = existsSync('/usr/bin/dpkg-deb') && existsSync('/usr/bin/dpkg');

function script(text: string): string {
  const file = path.join(tempDir(), 'tool');
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

/** The package of that name, with one file. */
function deb(version = NEW): string {
  const folder = tempDir();
  const root = path.join(folder, 'root');
  mkdirSync(path.join(root, 'DEBIAN'), { recursive: true });
  mkdirSync(path.join(root, 'opt/Gatehouse'), { recursive: true });
  writeFileSync(path.join(root, 'opt/Gatehouse/version'), version);
  const control = `Package: ${NAME}\nVersion: ${version}\nArchitecture: all\nMaintainer: Tests <root@localhost>\nDescription: test\n`;
  writeFileSync(path.join(root, 'DEBIAN/control'), control);
  const file = path.join(folder, `${NAME}_${version}_all.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, file], { stdio: 'ignore' });
  return file;
}

async function update(debs = [deb()], kind: 'deb' | 'folder' = 'deb'): Promise<string> {
  const folder = tempDir();
  mkdirSync(path.join(folder, 'debs'));
  await copyDebs(debs, NEW, path.join(folder, 'debs'));
  const file = path.join(folder, 'gatehouse.update');
  await makeUpdate(
    { folder: path.join(folder, 'debs'), kind, version: NEW, minFrom: '0.1.0', privateKeys: [privateKey] },
    file,
  );
  return file;
}

/**
 * `pkexec` as its manual describes it, and an `apt-get` that unpacks the file into a folder: a package of Gatehouse must never reach
 * the system that runs the tests.
 */
function system({ pkexec = 'shift; exec "$@"', apt = '', isRoot = false } = {}): SystemTools & {
  root: string;
} {
  const root = tempDir();
  const last = 'for deb; do :; done';
  const aptGet = script(`${last}\necho "$deb" > ${root}/asked\n${apt}\ndpkg-deb --extract "$deb" ${root}`);
  return { isRoot, pkexec: script(pkexec), aptGet, root };
}
/** The file that `apt-get` was given; empty if it was not called. */
const asked = ({ root }: { root: string }) =>
  existsSync(path.join(root, 'asked')) ? readFileSync(path.join(root, 'asked'), 'utf8').trim() : '';

const COMMON = { name: NAME, newest: null, isDatabaseUnsaved: false, keys } as const;
const install = (file: string, tools: SystemTools) => installPackage({ ...COMMON, file, tools });
const problem = (of: string) => ({ code: 'update_refused', facts: { args: { problem: of } } });

it('knows the package that it was installed by', () => {
  const lists = tempDir();
  writeFileSync(path.join(lists, 'gatehouse.list'), '');
  writeFileSync(path.join(lists, 'gatehouse-server.list'), '');
  const at = (program: string) => installedPackage(program, lists);
  expect(at('/opt/Gatehouse/resources/app.asar.unpacked')).toBe('gatehouse');
  expect(at('/usr/lib/gatehouse')).toBe('gatehouse-server');
  expect(at('/opt/Gatehouse-2')).toBeNull();
  expect(installedPackage('/opt/Gatehouse/resources', tempDir())).toBeNull();
});

it.runIf(hasDpkg)(
  'installs the signed package, by the system’s administrator or as root, and keeps no copy',
  async () => {
    const file = await update();
    for (const tools of [system(), system({ pkexec: 'exit 127', isRoot: true })]) {
      await install(file, tools);
      expect(readFileSync(path.join(tools.root, 'opt/Gatehouse/version'), 'utf8')).toBe(NEW);
      expect(path.basename(asked(tools))).toBe(`gatehouse_${NEW}_all.deb`);
      expect(existsSync(path.dirname(asked(tools)))).toBe(false);
    }
  },
);

it.runIf(hasDpkg)('says why the system did not install it', async () => {
  const file = await update();
  const refusals: [string, SystemTools][] = [
    ['no_pkexec', { ...system(), pkexec: path.join(tempDir(), 'none') }],
    ['cancelled', system({ pkexec: 'exit 126' })],
    ['not_authorised', system({ pkexec: 'exit 127' })],
    ['package_failed', system({ apt: 'echo "E: Could not get lock" >&2; exit 100' })],
    ['package_failed', system({ apt: 'kill -9 $$' })],
    ['package_failed', system({ apt: 'exit 126', isRoot: true })],
  ];
  for (const [why, tools] of refusals)
    await expect(install(file, tools), why).rejects.toMatchObject(problem(why));
});

it.runIf(hasDpkg)('does not install a file that changes after it was verified', async () => {
  const file = await update();
  const tools = system();
  const changing = installPackage({
    ...{ ...COMMON, file, tools },
    onProgress(step) {
      if (step === 'unpacking') writeSync(openSync(file, 'r+'), 'x', statSync(file).size - 2_000);
    },
  });
  await expect(changing).rejects.toMatchObject(problem('damaged'));
  expect(asked(tools)).toBe('');
});

it.runIf(hasDpkg)('never asks the system for anything but the signed package of its own name', async () => {
  const tools = system();
  const folder = await update([deb()], 'folder');
  await expect(install(folder, tools)).rejects.toMatchObject(problem('other_kind'));
  await expect(
    installPackage({ ...COMMON, name: 'gatehouse-server', file: await update(), tools }),
  ).rejects.toMatchObject(problem('other_kind'));
  await expect(
    installPackage({ ...COMMON, newest: '9.2.0', file: await update(), tools }),
  ).rejects.toMatchObject(problem('older'));
  expect(asked(tools)).toBe('');
  await expect(copyDebs([deb('9.0.0')], NEW, tempDir())).rejects.toThrow('not version 9.1.0');
});

it.runIf(hasDpkg)(
  'from the console: nothing is accepted unless it was installed; then a restart is due',
  async () => {
    const { deps, clock } = await openTestService();
    let pkexec = 'exit 126';
    const tools = {
      ...system(),
      get pkexec() {
        return script(pkexec);
      },
    };
    const service = createUpdateService(deps.db, clock, {
      ...{
        home: null,
        packageName: NAME,
        tools,
        data: null,
        isSupervised: true,
        keys,
        onError: () => undefined,
      },
    });
    const settled = async () => {
      await expect.poll(async () => (await service.state()).working).toBeNull();
      return service.state();
    };
    const file = await update();
    service.check(file);
    expect(await settled()).toMatchObject({ by_package: true, checked: { version: NEW } });
    const request = { file, version: NEW, isDatabaseSaved: false, actor: 'operator:1' } as const;
    service.install(request);
    expect(await settled()).toMatchObject({ problem: 'cancelled', last: null, newest_accepted: null });
    pkexec = 'shift; exec "$@"';
    service.install(request);
    expect(await settled()).toMatchObject({
      ...{ version: product.version, problem: null, newest_accepted: NEW },
      last: { state: 'waiting', version: NEW },
    });
  },
);
