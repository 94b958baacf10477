/** Packs the two SDKs as npm packages that `/sdk/` serves: `npm install https://…/sdk/gatehouse-node.tgz`. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create } from 'tar';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCES = path.join(ROOT, 'sdk');
/** The same for each build, so that the same sources give the same bytes. */
const MTIME = new Date('2026-01-01T00:00:00Z');

const COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  isolatedDeclarations: true,
  declaration: true,
};

/** @param version of the product, which is that of its packages */
export async function packNode(version: string, outDir: string): Promise<void> {
  const source = path.join(SOURCES, 'node');
  const names = (await readdir(source)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const files = await Promise.all(names.map((name) => compiled(path.join(source, name))));
  await pack('node', outDir, {
    ...Object.fromEntries(files.flat()),
    'README.md': await readFile(path.join(source, 'README.md')),
    'package.json': packageJson('node', version, {
      description: 'Gatehouse for your server: start checks, read results, verify webhooks.',
      engines: { node: '>=20.3' },
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
    }),
  });
}

/** @param built the folder with the built files of the browser SDK */
export async function packBrowser(version: string, built: string, outDir: string): Promise<void> {
  const names = ['gatehouse.js', 'gatehouse.iife.js', 'gatehouse.d.ts'];
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(built, name))] as const),
  );
  await pack('browser', outDir, {
    ...Object.fromEntries(files),
    ...Object.fromEntries(await codeVerifier()),
    'README.md': await readFile(path.join(SOURCES, 'browser/README.md')),
    'package.json': packageJson('browser', version, {
      description: 'Starts a Gatehouse check from your website.',
      exports: {
        '.': { types: './gatehouse.d.ts', default: './gatehouse.js' },
        './codes': { types: './codes.d.ts', default: './codes.js' },
      },
      unpkg: './gatehouse.iife.js',
    }),
  });
}

/** The verifier of humans-only codes: one file that needs no other, for browsers and Node.js. */
export const codeVerifier = () => compiled(path.join(SOURCES, 'node/codes.ts'));

/** The script and the types of one source file. @throws if its types cannot be written without the other files */
async function compiled(file: string): Promise<(readonly [name: string, text: string])[]> {
  const text = await readFile(file, 'utf8');
  const name = path.basename(file, '.ts');
  const options = { compilerOptions: COMPILER, fileName: file, reportDiagnostics: true };
  const types = ts.transpileDeclaration(text, options);
  const problems = types.diagnostics ?? [];
  if (problems.length > 0) {
    throw new Error(problems.map((one) => ts.flattenDiagnosticMessageText(one.messageText, '\n')).join('\n'));
  }
  const script = ts.transpileModule(text, options).outputText;
  return [
    [`${name}.js`, script],
    [`${name}.d.ts`, types.outputText.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'")],
  ];
}

const packageJson = (name: string, version: string, more: object): string =>
  `${JSON.stringify({ name: `@gatehouse/${name}`, version, license: 'UNLICENSED', type: 'module', ...more }, null, 2)}\n`;

async function pack(name: string, outDir: string, files: Record<string, string | Uint8Array>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-sdk-'));
  try {
    await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
    const entries = (await readdir(folder)).sort();
    const target = path.join(outDir, `gatehouse-${name}.tgz`);
    await create(
      { cwd: folder, file: target, gzip: true, portable: true, mtime: MTIME, prefix: 'package' },
      entries,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
