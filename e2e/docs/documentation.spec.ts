/**
 * Runs the documentation: every code block marked `run`, page by page. Pages use one separate server, except those that start
 * and stop the service themselves. The other blocks are checked in `testing/documents/blocks.test.ts`.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer, json } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';
import type { NewCompany } from '../../server/services/companies/companies.ts';
import { type CodeBlock, codeBlocksOf, readDocuments } from '../../testing/documents/documents.ts';
import { findPostgres } from '../../testing/postgres/server.ts';
import { limitMs, NIGHTLY } from '../../testing/tier.ts';
import { runCli } from '../support/service/command-line.ts';
import { inFolder, needsPostgres, runBlocks, runOnOwnService } from '../support/documented.ts';
import { freePorts } from '../support/service/free-ports.ts';
import { send } from '../support/http.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { newPostgresDatabase, startGatehouse, type Gatehouse } from '../support/service/server.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';

const pages = readDocuments().map(({ file, text }) => ({ file, blocks: codeBlocksOf(text) }));
const isRun = ({ mark }: CodeBlock) => mark.split(' ')[0] === 'run';
/** Starts Gatehouse from the source code, with `npm start`. */
const isFirstStart = ({ mark }: CodeBlock) => mark === 'run first start';
/** Has its own test, because it starts a Gatehouse of its own. */
const isFirstResult = ({ mark }: CodeBlock) => mark === 'run first result';
const isFirst = (block: CodeBlock) => isFirstStart(block) || isFirstResult(block);
/** Units, and words after `run`, start and stop a service of the page's own. */
const hasOwnService = (blocks: readonly CodeBlock[]) =>
  blocks.some((block) => block.language === 'ini' || (/^run \w/.test(block.mark) && !isFirst(block)));
const runnable = pages
  .map(({ file, blocks }) => ({
    file,
    blocks: blocks.filter((block) => isRun(block) && !isFirst(block)),
  }))
  .filter(({ blocks }) => blocks.length > 0);

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
  if [ "$1" = install ]; then command npm "$@" --no-audit --no-fund; return; fi
  [ "$1 $2 $3 $4" = 'run -s gatehouse --' ] || { echo "unexpected: npm $*" >&2; return 1; }
  shift 4
  printf '%s\\0' "$@" | curl -sS --fail-with-body --data-binary @- http://127.0.0.1:${(commandLine.address() as AddressInfo).port}
}
`;

const runOnSharedService = (blocks: readonly CodeBlock[]): Promise<void> =>
  inFolder(async (folder) => {
    sqliteOnly('Its commands read the data folder of the service.');
    const company = await gatehouse.cli<NewCompany>(['company', 'create', '--name', 'Documented']);
    const { body } = await send<{ token: string }>(`${gatehouse.baseUrl}/v3/test/confirmation-token`, {
      headers: { authorization: `Bearer ${company.keys.sk_test}` },
      body: { status: 'approved' },
    });
    await runBlocks({
      blocks,
      folder,
      prelude: prelude(),
      env: {
        ...process.env,
        BASE: gatehouse.baseUrl,
        CONSOLE: gatehouse.consoleUrl,
        COMPANY: company.company_id,
        SK_TEST: company.keys.sk_test,
        AK_TEST: company.keys.ak_test,
        VYT: body.token,
      },
      replacements: [
        ['http://127.0.0.1:4180', gatehouse.baseUrl],
        ['sk_test_…', company.keys.sk_test],
      ],
    });
  });

for (const { file, blocks } of runnable.filter((page) => !hasOwnService(page.blocks))) {
  test(`${file} shows commands that work`, () => runOnSharedService(blocks));
}

for (const { file, blocks } of runnable.filter((page) => hasOwnService(page.blocks))) {
  test.describe(file, () => {
    prerequisite(
      needsPostgres(blocks) && findPostgres() === undefined
        ? 'PostgreSQL is not installed (apt-get install postgresql).'
        : null,
    );

    test(`${file} shows commands that work on an installation of its own`, async () => {
      test.setTimeout(limitMs(120_000));
      await runOnOwnService(blocks);
    });
  });
}

/** The README's commands as they are pasted into a second terminal, in the folder of the source code. */
async function firstCallByPaste(baseUrl: string, dataDir: string): Promise<void> {
  const blocks = runnable.find(({ file }) => file === 'README.md')?.blocks ?? [];
  const { PATH, HOME } = process.env;
  await inFolder((folder) =>
    runBlocks({
      blocks,
      folder,
      cwd: PROJECT_ROOT,
      prelude: 'set -euo pipefail\n',
      // The port and the folder are the test's own; nothing else is set.
      env: { PATH, HOME, BASE: baseUrl, GATEHOUSE_DATA_DIR: dataDir },
      replacements: [],
    }),
  );
  // Without its variables, the first call says so instead of printing nothing.
  const { stderr } = spawnSync('bash', ['-c', blocks[1]?.code ?? ''], { env: { PATH } });
  expect(stderr.toString()).toMatch(/^curl: \(\d+\) \w+/m);
}

/** Progress is printed there as well. */
const FAILURE = /\b(error|failed|cannot|unhandled)\b.*/gi;

test('the first start that pages show prints a link to try', () =>
  inFolder(async (folder) => {
    test.setTimeout(limitMs(90_000));
    const shown = pages.flatMap(({ blocks }) => blocks.filter(isFirstStart).map(({ code }) => code.trim()));
    expect(new Set(shown)).toEqual(new Set(['npm ci && npm start']));
    const options = ['--browser', '--data-dir', folder, '--port', '0', '--console-port', '0'];
    const started = spawn('npm', ['start', '--', ...options], {
      cwd: PROJECT_ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [printed, errors] = ['', ''];
    started.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    started.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const ended = once(started, 'close');
    const hasEnded = () => started.exitCode !== null || started.signalCode !== null;
    try {
      await expect
        .poll(() => printed.includes('/verification?vys=') || hasEnded(), { timeout: limitMs(60_000) })
        .toBe(true);
      expect(printed).toContain('/verification?vys=');
      await firstCallByPaste(/^ {2}Service {2}(\S+)$/m.exec(printed)?.[1] ?? '', folder);
      expect(hasEnded()).toBe(false);
      expect(errors.match(FAILURE) ?? []).toEqual([]);
    } catch (error) {
      throw new Error(`npm start printed:\n${printed}\nand as errors:\n${errors}`, { cause: error });
    } finally {
      if (started.pid !== undefined) process.kill(-started.pid, 'SIGTERM');
      await ended;
    }
  }));

/** The time that an integrator gives a first try. */
const FIRST_RESULT_LIMIT_S = 300;

test('README: one script goes from nothing to a verified result, and says how long it took', () =>
  inFolder(async (folder) => {
    test.setTimeout(limitMs(90_000));
    const shown = pages.flatMap(({ blocks }) => blocks.filter(isFirstResult).map(({ code }) => code.trim()));
    expect(shown).toEqual(['npm ci && npm run -s first-result']);
    const started = spawn('npm', ['run', '-s', 'first-result'], {
      cwd: PROJECT_ROOT,
      env: { ...process.env, TMPDIR: folder, GATEHOUSE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [printed, errors] = await Promise.all([buffer(started.stdout), buffer(started.stderr)]);
    const last = printed.toString().trimEnd().split('\n').at(-1) ?? '';
    expect(last, errors.toString()).toMatch(/^verified: true, after \d+\.\d s$/);
    expect(Number(/[\d.]+(?= s$)/.exec(last)?.[0])).toBeLessThan(FIRST_RESULT_LIMIT_S);
    expect((await readdir(folder)).filter((name) => name.startsWith('gatehouse-'))).toEqual([]);
  }));

test(
  'README: from an empty folder, a copy of the source code has a verified result within five minutes',
  { tag: NIGHTLY },
  () =>
    inFolder(async (folder) => {
      test.setTimeout(FIRST_RESULT_LIMIT_S * 1_000);
      const command = pages.flatMap(({ blocks }) => blocks.filter(isFirstResult))[0]?.code ?? '';
      const copied = `git clone -q ${PROJECT_ROOT} gatehouse && cd gatehouse`;
      const { stdout, stderr } = spawnSync('bash', ['-c', `${copied} && ${command}`], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(stdout.trimEnd().split('\n').at(-1), stderr).toMatch(/^verified: true, after/);
    }),
);

/** The fields that decide what Prometheus asks for, whose defaults are the path `/metrics` and the type `Bearer`. */
type Scrape = { metrics_path?: string; authorization?: { type?: string } };

test('the Prometheus configuration that a page shows reads the metrics', async () => {
  const [block] = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'yaml'));
  const { scrape_configs: configs } = parse(block?.code ?? '') as { scrape_configs: Scrape[] };
  const [{ metrics_path: shownPath = '/metrics', authorization } = {}] = configs;
  expect(configs).toHaveLength(1);
  const { token } = await gatehouse.cli<{ token: string }>(['metrics', 'token']);
  const reply = await fetch(`${gatehouse.consoleUrl}${shownPath}`, {
    headers: { authorization: `${authorization?.type ?? 'Bearer'} ${token}` },
  });
  expect(await reply.text()).toContain('gatehouse_node_ready 1');
});

test('the script tag that a page shows loads the SDK', async ({ page }) => {
  const [block] = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'html'));
  const tag = block?.code.replace('https://verify.example.org', gatehouse.baseUrl) ?? '';
  expect(tag).toContain(gatehouse.baseUrl);
  await page.setContent(tag);
  await expect.poll(() => page.evaluate(() => 'Gatehouse' in globalThis)).toBe(true);
});

test.describe('a load balancer', () => {
  prerequisite(
    findPostgres() === undefined || spawnSync('haproxy', ['-v']).error !== undefined
      ? 'PostgreSQL or HAProxy is not installed (apt-get install postgresql haproxy).'
      : null,
  );

  const NAME = 'verify.example.org';

  test('with the configuration that a page shows loses no request when a node stops', () =>
    inFolder(async (folder) => {
      test.setTimeout(limitMs(120_000));
      const env = {
        GATEHOUSE_DATABASE_URL: await newPostgresDatabase(),
        GATEHOUSE_PUBLIC_URL: `https://${NAME}`,
        GATEHOUSE_TRUSTED_HOPS: '1',
      };
      const nodes = [await startGatehouse({ env }), await startGatehouse({ env })];
      const secretKey = nodes[0]!.company.keys.sk_test;
      const [port = 0, dead = 0] = await freePorts(2);
      const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
      const subject = `-subj /CN=${NAME} -addext subjectAltName=DNS:${NAME}`;
      const options = `-x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate} ${subject}`;
      execFileSync('openssl', ['req', ...options.split(' ')], { stdio: 'ignore' });
      const ca = await readFile(certificate, 'utf8');
      await writeFile(path.join(folder, `${NAME}.pem`), `${ca}${await readFile(key, 'utf8')}`);
      const [block] = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'haproxy'));
      const shown = [
        ['bind :443', `bind 127.0.0.1:${port}`],
        ['/etc/haproxy', folder],
        ['10.0.0.11:4180', nodes[0]!.listening],
        ['10.0.0.12:4180', nodes[1]!.listening],
        ['10.0.0.13:4180', `127.0.0.1:${dead}`],
      ] as const;
      const configuration = path.join(folder, 'haproxy.cfg');
      await writeFile(
        configuration,
        shown.reduce((text, [page, here]) => text.replaceAll(page, here), block?.code ?? ''),
      );

      /** Through the load balancer, by the public name. */
      const ask = async (method: string, address: string, body?: object) => {
        const sent = request({
          ...{ host: '127.0.0.1', port, servername: NAME, ca, agent: false, method, path: address },
          headers: {
            host: NAME,
            authorization: `Bearer ${secretKey}`,
            'content-type': 'application/json',
          },
        });
        sent.end(body === undefined ? undefined : JSON.stringify(body));
        const [reply] = (await once(sent, 'response')) as [IncomingMessage];
        return {
          status: reply.statusCode ?? 0,
          body: (await json(reply)) as { role?: string; url?: string },
        };
      };

      const balancer = spawn('haproxy', ['-db', '-f', configuration], { stdio: 'ignore' });
      const isOver = { value: false };
      try {
        const status = () =>
          ask('GET', '/readyz').then(
            (reply) => reply.status,
            () => 0,
          );
        await expect.poll(status).toBe(200);
        const { body: started } = await ask('POST', '/v3/initialize', { external_id: 'ticket-1042' });
        expect(started.url).toMatch(new RegExp(`^https://${NAME}/verification\\?vys=`));

        const { body: before } = await ask('GET', '/readyz');
        // The node that started first leads.
        const serving = before.role === 'leader' ? 0 : 1;
        const refused: unknown[] = [];
        let answered = 0;
        const asking = (async () => {
          while (!isOver.value) {
            const reply = await ask('GET', '/v3/confirmations/none').catch(String);
            if (typeof reply === 'string' || reply.status >= 500) refused.push(reply);
            else answered += 1;
          }
        })();
        await nodes.splice(serving, 1)[0]!.stop();
        isOver.value = true;
        await asking;
        expect(refused).toEqual([]);
        expect(answered).toBeGreaterThan(10);
        expect(await status()).toBe(200);
      } finally {
        isOver.value = true;
        balancer.kill('SIGTERM');
        await Promise.all(nodes.map((node) => node.stop()));
      }
    }));
});
