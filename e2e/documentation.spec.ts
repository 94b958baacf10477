/**
 * Runs the documentation: every code block marked `run`, page by page, on a separate server. A page runs in one shell,
 * so later blocks see the variables of earlier ones; a JSON block is the expected output of the block before it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import type { NewCompany } from '../server/services/companies/companies.ts';
import { type CodeBlock, codeBlocksOf, readDocuments } from '../testing/documents/documents.ts';
import { runCli } from './support/command-line.ts';
import { send } from './support/http.ts';
import { startGatehouse, type Gatehouse } from './support/server.ts';

/** The address in the pages. */
const SHOWN_BASE = 'http://127.0.0.1:4180';

let gatehouse: Gatehouse;
let commandLine: Server;

test.beforeAll(async () => {
  gatehouse = await startGatehouse();
  commandLine = createServer((request, reply) => {
    void buffer(request)
      .then((body) => body.toString().split('\0').slice(0, -1))
      .then((args) => runCli(args, { ...process.env, GATEHOUSE_DATA_DIR: gatehouse.dataDir }))
      .then(
        (printed) => reply.end(printed),
        (error: unknown) => reply.writeHead(500).end(String(error)),
      );
  }).listen(0, '127.0.0.1');
  await once(commandLine, 'listening');
});
test.afterAll(async () => {
  commandLine.close();
  await gatehouse.stop();
});

/** `npm run -s gatehouse -- …` uses a persistent process, because starting one takes longer than the command. */
const prelude = (): string => `
set -euo pipefail
npm() {
  [ "$1 $2 $3 $4" = 'run -s gatehouse --' ] || { echo "unexpected: npm $*" >&2; return 1; }
  shift 4
  printf '%s\\0' "$@" | curl -sS --fail-with-body --data-binary @- http://127.0.0.1:${(commandLine.address() as AddressInfo).port}
}
`;

function scriptOf(blocks: readonly CodeBlock[], folder: string): string {
  const steps = blocks.map(({ language, code, line }, index) => {
    const out = path.join(folder, `${index}.out`);
    const program = language === 'ts' ? `"${process.execPath}" "${path.join(folder, `${index}.ts`)}"` : code;
    return `echo "line ${line}" >&2\n{\n${program}\n} > "${out}"\n`;
  });
  return prelude() + steps.join('');
}

/** An object that contains "…" can have more fields, and a string that ends in "…" can be longer. */
function matches(actual: unknown, shown: unknown): boolean {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    return typeof actual === 'string' && actual.startsWith(shown.slice(0, -1));
  }
  if (typeof shown !== 'object' || shown === null) return Object.is(actual, shown);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(shown))
    return false;
  const fields = Object.entries(shown).filter(([name]) => name !== '…');
  const isWhole = '…' in shown || Object.keys(actual).length === fields.length;
  return (
    isWhole && fields.every(([name, value]) => matches((actual as Record<string, unknown>)[name], value))
  );
}

async function runPage(blocks: readonly CodeBlock[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-docs-'));
  try {
    const commands = blocks.filter(({ language }) => language !== 'json');
    for (const [index, { language, code }] of commands.entries()) {
      if (language === 'ts') await writeFile(path.join(folder, `${index}.ts`), code);
    }
    const company = await gatehouse.cli<NewCompany>(['company', 'create', '--name', 'Documented']);
    const { body } = await send<{ token: string }>(`${gatehouse.baseUrl}/v3/test/confirmation-token`, {
      headers: { authorization: `Bearer ${company.keys.sk_test}` },
      body: { status: 'approved' },
    });
    const shell = spawn('bash', ['-c', scriptOf(commands, folder)], {
      cwd: folder,
      env: {
        ...process.env,
        FORCE_COLOR: '0',
        BASE: gatehouse.baseUrl,
        CONSOLE: gatehouse.consoleUrl,
        COMPANY: company.company_id,
        SK_TEST: company.keys.sk_test,
        AK_TEST: company.keys.ak_test,
        BACKUPS: folder,
        VYT: body.token,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [errors, [code]] = await Promise.all([
      buffer(shell.stderr),
      once(shell, 'close') as Promise<[number | null]>,
    ]);
    const printed = (index: number) =>
      readFile(path.join(folder, `${index}.out`), 'utf8').catch(() => 'nothing was printed');
    const last = errors.toString().match(/^line \d+$/gm)?.length ?? 0;
    expect(code, `${errors.toString()}\n${await printed(last - 1)}`).toBe(0);

    for (const [index, block] of blocks.entries()) {
      if (block.language !== 'json') continue;
      const before = commands.findLastIndex(({ line }) => line < block.line);
      expect(before, `line ${block.line} of the page: nothing ran before it`).toBeGreaterThanOrEqual(0);
      expect(blocks[index - 1]?.language).not.toBe('json');
      const text = (await printed(before)).replaceAll(gatehouse.baseUrl, SHOWN_BASE);
      expect(
        matches(JSON.parse(text), JSON.parse(block.code)),
        `line ${block.line}: the server answered ${text}`,
      ).toBe(true);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

for (const { file, text } of readDocuments()) {
  const blocks = codeBlocksOf(text).filter(({ mark }) => mark === 'run');
  if (blocks.length > 0) test(`${file} shows commands that work`, () => runPage(blocks));
}
