/** The two packages as an integrator has them: installed into an empty folder without a network, compiled and run. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../testing/store/temp-store.ts';
import { limitMs } from '../../testing/tier.ts';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { packBrowser, packNode } from './pack.ts';

const { version } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
const TSC = path.join(PROJECT_ROOT, 'node_modules/typescript-7/bin/tsc');

/** Without the settings of npm that a test run inherits. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

async function installed(...packages: string[]): Promise<string> {
  const folder = tempDir();
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const options = ['install', '--offline', '--no-audit', '--no-fund', ...packages];
  execFileSync('npm', options, { cwd: folder, env: ENV, stdio: 'pipe', shell: process.platform === 'win32' });
  return folder;
}

function run(program: string, args: string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(stdout + stderr, { cause: error });
  }
}

test(
  'the package for Node.js installs, compiles strictly with its types, and runs',
  { timeout: limitMs(60_000) },
  async () => {
    const out = tempDir();
    await packNode(version, out);
    const folder = await installed(path.join(out, 'gatehouse-node.tgz'));
    const about = JSON.parse(
      await readFile(path.join(folder, 'node_modules/@gatehouse/node/package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect(about).toMatchObject({ name: '@gatehouse/node', version });
    expect(about).not.toHaveProperty('dependencies');
    await writeFile(
      path.join(folder, 'main.ts'),
      `import { Gatehouse, GatehouseError, verifyCode, verifyV1Webhook, type Confirmation } from '@gatehouse/node';
const gatehouse = new Gatehouse({ baseUrl: 'http://127.0.0.1:1', secretKey: 'sk_test_x', retries: 0 });
const verified = async (): Promise<Confirmation['verified']> => (await gatehouse.confirm('vyt_1')).verified;
try {
  await verified();
} catch (error) {
  if (!(error instanceof GatehouseError)) throw error;
  const code: string = error.code;
  const check = await verifyCode('none', []);
  console.log(code, typeof verifyV1Webhook, check.valid || check.reason);
}
`,
    );
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: false,
      types: ['node'],
    };
    const typeRoots = [path.join(PROJECT_ROOT, 'node_modules/@types')];
    const compilerOptions = { ...options, typeRoots, noUncheckedIndexedAccess: true };
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['main.ts'] }),
    );
    run(process.execPath, [TSC, '-p', folder], folder);
    expect(run(process.execPath, ['main.js'], folder)).toBe('unreachable function malformed\n');
  },
);

test('the package for the browser installs with its types', { timeout: limitMs(60_000) }, async () => {
  const [out, built] = [tempDir(), tempDir()];
  const sources = path.join(PROJECT_ROOT, 'renderer/apps/sdk');
  await mkdir(built, { recursive: true });
  await writeFile(path.join(built, 'gatehouse.js'), 'export const vyget = () => null;');
  await writeFile(path.join(built, 'gatehouse.iife.js'), '');
  await writeFile(path.join(built, 'gatehouse.d.ts'), await readFile(path.join(sources, 'gatehouse.d.ts')));
  await packBrowser(version, built, out);
  const folder = await installed(path.join(out, 'gatehouse-browser.tgz'));
  await writeFile(
    path.join(folder, 'main.ts'),
    `import { vycheck, vyget, type CheckResult } from '@gatehouse/browser';
import { verifyCode, type CodeCheck } from '@gatehouse/browser/codes';
export const check: Promise<CodeCheck> = verifyCode('none', 'hcpk_');
export const start = async (session: string): Promise<CheckResult['token']> => (await vycheck({ session })).token;
export const result: CheckResult = vyget();
`,
  );
  const compilerOptions = {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    noEmit: true,
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, lib: ['es2022', 'dom'], types: [] },
      files: ['main.ts'],
    }),
  );
  run(process.execPath, [TSC, '-p', folder], folder);
});

test('the same sources give the same bytes', async () => {
  const [one, other] = [tempDir(), tempDir()];
  await packNode(version, one);
  await packNode(version, other);
  const bytes = await Promise.all(
    [one, other].map((folder) => readFile(path.join(folder, 'gatehouse-node.tgz'))),
  );
  expect(bytes[0]!.equals(bytes[1]!)).toBe(true);
});
