/** What people make of the document: generated clients that compile and work without casts, and a Postman collection. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../../scripts/assets/paths.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { limitMs } from '../../../testing/tier.ts';
import { serverConfig } from '../../config.ts';
import { createLogger } from '../../http/logging.ts';
import { createPublicApp } from '../../http/public-app.ts';
import { publicDocument } from './openapi.ts';

const BASE_URL = 'https://verify.gatehouse.test';

/** A server on a real port, and the test keys of its company. */
async function serve() {
  const { deps, company } = await openTestService();
  const config = serverConfig({ dataDir: tempDir() }, {});
  const app = await createPublicApp({ deps, logger: createLogger('silent'), ...config });
  onTestFinished(() => app.close());
  return { baseUrl: await app.listen({ port: 0, host: '127.0.0.1' }), keys: company.keys };
}

/** A folder below the project, where generated code finds its packages; with the document in `openapi.json`. */
async function generated(command: string, ...args: string[]): Promise<string> {
  const caches = path.join(PROJECT_ROOT, 'node_modules/.cache');
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(path.join(caches, 'gatehouse-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(await publicDocument(BASE_URL)));
  const program = path.join(PROJECT_ROOT, 'node_modules/.bin', command);
  execFileSync(program, args, { cwd: folder, stdio: 'pipe', shell: process.platform === 'win32' });
  return folder;
}

/** Compiles the code strictly, and runs its `run`. */
async function compileAndRun(
  folder: string,
  code: string,
  server: { baseUrl: string; secretKey: string },
): Promise<unknown> {
  writeFileSync(path.join(folder, 'main.ts'), code);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: true, noEmit: true },
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const tsc = path.join(PROJECT_ROOT, 'node_modules/typescript-7/bin/tsc');
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
  const { run } = (await import(pathToFileURL(path.join(folder, 'main.ts')).href)) as {
    run: (baseUrl: string, secretKey: string) => Promise<unknown>;
  };
  return run(server.baseUrl, server.secretKey);
}

const FOUND = {
  session: expect.stringMatching(/^vs_/) as string,
  reasons: ['collision'],
  missing: 'not found',
  problem: ['body', 'external_id'],
  number: expect.stringMatching(/^\+1210555/) as string,
};

test(
  'a client of openapi-typescript and openapi-fetch compiles, and works',
  { timeout: limitMs(60_000) },
  async () => {
    const { baseUrl, keys } = await serve();
    const folder = await generated('openapi-typescript', 'openapi.json', '-o', 'api.ts');
    const code = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type ErrorCode = components['schemas']['ErrorCode'];

export async function run(baseUrl: string, secretKey: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${secretKey}\` } });
  const started = await client.POST('/v3/initialize', { body: { external_id: 'order-1', metadata: { vip: true } } });
  if (started.error) throw new Error('initialize');
  const session: string | null = started.data.session_id;
  const settled = await client.POST('/v3/test/confirmation-token', { body: { status: 'denied', reasons: ['collision'] } });
  const token: string = settled.data?.token ?? '';
  const read = await client.GET('/v3/confirmations/{token}', { params: { path: { token } } });
  const reasons: string[] = read.data?.reasons ?? [];
  const lookup = await client.POST('/v3/verifications/lookup', {
    body: { id: '01a215cd-6000-7000-8000-000000000001' },
  });
  const missing: ErrorCode | undefined =
    lookup.error && 'detail' in lookup.error && typeof lookup.error.detail === 'string' ? lookup.error.detail : undefined;
  const invalid = await client.POST('/v3/initialize', { body: { external_id: '' } });
  const problem =
    invalid.error && 'detail' in invalid.error && typeof invalid.error.detail !== 'string'
      ? invalid.error.detail[0]?.loc
      : undefined;
  const sandbox = await client.POST('/v2/sandbox/phone-number', { body: { type: 'us', area_code: '210' }, headers: { authorization: null } });
  return { session, reasons, missing, problem, number: sandbox.data?.phone_number };
}
`;
    expect(await compileAndRun(folder, code, { baseUrl, secretKey: keys.sk_test })).toEqual(FOUND);
  },
);

test('a client of @hey-api/openapi-ts compiles, and works', { timeout: limitMs(60_000) }, async () => {
  const { baseUrl, keys } = await serve();
  const folder = await generated('openapi-ts', '-i', 'openapi.json', '-o', 'api', '--no-log-file', '-s');
  const code = `
import { client } from './api/client.gen';
import { initialize, lookUpVerification, makeSandboxPhoneNumber, readConfirmation, settleTestPass } from './api';
import type { ErrorCode } from './api';

export async function run(baseUrl: string, secretKey: string) {
  client.setConfig({ baseUrl, auth: secretKey });
  const started = await initialize({ body: { external_id: 'order-1', metadata: { vip: true } } });
  const session: string | null | undefined = started.data?.session_id;
  const settled = await settleTestPass({ body: { status: 'denied', reasons: ['collision'] } });
  const read = await readConfirmation({ path: { token: settled.data?.token ?? '' } });
  const reasons: string[] = read.data?.reasons ?? [];
  const lookup = await lookUpVerification({ body: { id: '01a215cd-6000-7000-8000-000000000001' } });
  const missing: ErrorCode | undefined =
    lookup.error && 'detail' in lookup.error && typeof lookup.error.detail === 'string' ? lookup.error.detail : undefined;
  const invalid = await initialize({ body: { external_id: '' } });
  const problem =
    invalid.error && 'detail' in invalid.error && typeof invalid.error.detail !== 'string'
      ? invalid.error.detail[0]?.loc
      : undefined;
  const sandbox = await makeSandboxPhoneNumber({ body: { type: 'us', area_code: '210' }, auth: '' });
  return { session, reasons, missing, problem, number: sandbox.data?.phone_number };
}
`;
  expect(await compileAndRun(folder, code, { baseUrl, secretKey: keys.sk_test })).toEqual(FOUND);
});

type Item = {
  name: string;
  request: {
    method: string;
    url: { raw: string; variable?: { key: string; value: string }[] };
    header: { key: string; value: string }[];
    body?: { raw: string };
  };
};
type Collection = {
  variable: { key: string; value: string }[];
  item: { name: string; auth: { type: string }; item: Item[] }[];
};

const REFUSED = [
  'v3 Exchange a result token for the verdict: 401',
  'v3 Mark a pass as used: 401',
  'v3 Find the latest pass of an email or phone: 404',
  'v3 Make the humans-only code of a pass: 401',
  'v3 Redeem a humans-only code: 400',
  'v3 List the public keys of an event’s codes: 404',
  'v3 Read a webhook: 404',
  'v3 Change a webhook: 404',
  'v3 Delete a webhook: 404',
  'v3 Replace the secret of a webhook: 404',
  'v3 Send an event with sample data: 404',
  'v3 List messages: 404',
  'v3 Read a message: 404',
  'v3 Send a message again: 404',
  'v3 Send messages again since a time: 404',
  'v1 Send a call again: 404',
];

test('every request of the Postman collection reaches its operation with the keys in its variables', async () => {
  const { baseUrl, keys } = await serve();
  const collection = (await (await fetch(`${baseUrl}/postman.json`)).json()) as Collection;
  expect(collection.variable.map(({ key }) => key)).toEqual(['base_url', 'sk_test', 'ak_test', 'vyt']);
  const filled: Record<string, string> = {
    base_url: baseUrl,
    sk_test: keys.sk_test,
    ak_test: keys.ak_test,
    vyt: 'vyt_unknown',
  };
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => filled[name] ?? '');
  const replies: string[] = [];
  for (const { name: generation, auth, item } of collection.item)
    for (const { name, request } of item) {
      const { raw, variable = [] } = request.url;
      const url = fill(variable.reduce((all, { key, value }) => all.replace(`:${key}`, value), raw));
      const reply = await fetch(url, {
        method: request.method,
        headers: {
          ...Object.fromEntries(request.header.map(({ key, value }) => [key, value])),
          ...(auth.type === 'bearer'
            ? { authorization: `Bearer ${keys.sk_test}` }
            : { 'api-key': keys.ak_test }),
        },
        ...(request.body && { body: request.body.raw }),
      });
      const text = await reply.text();
      expect(text, `${generation} ${name}`).not.toContain('no_such_endpoint');
      replies.push(`${generation} ${name}: ${reply.status}`);
    }
  expect(replies).toHaveLength(37);
  // The token is nobody's, no pass has settled, and the examples name a webhook and a call that never were.
  expect(replies.filter((one) => !one.endsWith(': 200'))).toEqual(REFUSED);
});

test('`/openapi.yaml` says what `/openapi.json` says, and so does the document without a service', async () => {
  const { deps } = await openTestService();
  const config = serverConfig({ dataDir: tempDir() }, {});
  const app = await createPublicApp({ deps, logger: createLogger('silent'), ...config });
  onTestFinished(() => app.close());
  const [json, yaml] = [await app.inject('/openapi.json'), await app.inject('/openapi.yaml')];
  expect(yaml.headers['content-type']).toMatch(/^application\/yaml/);
  expect(parse(yaml.body)).toEqual(json.json());
  expect(json.json()).toEqual(JSON.parse(JSON.stringify(await publicDocument(deps.baseUrl()))));
});
