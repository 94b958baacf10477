/** The code of the reference: each operation's, in each language, run as a program against a server. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { guidePages } from '../../scripts/docs/guide.ts';
import type { Operation } from '../../scripts/docs/reference/reference.ts';
import { BASE_URL, type Language, samplesOf } from '../../scripts/docs/reference/samples.ts';
import { limitMs } from '../../testing/tier.ts';
import { sendOk } from '../support/http.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { consentedRun, settledToken } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test, withOwnCompany } from '../support/service/shared-server.ts';

const run = promisify(execFile);

type Runner = {
  name: string;
  language: Language;
  /** Shows that the language is installed. */
  version: readonly [string, ...string[]];
  file: string;
  command: (file: string) => readonly [string, ...string[]];
  /** Once, for all programs in the folder. */
  build?: readonly [string, ...string[]];
};

const RUNNERS: readonly Runner[] = [
  {
    name: 'curl',
    language: 'sh',
    version: ['curl', '--version'],
    file: 'run.sh',
    command: (file) => ['sh', file],
  },
  {
    ...{ name: 'Node', language: 'js', version: [process.execPath, '--version'], file: 'run.mjs' },
    command: (file) => [process.execPath, file],
  },
  {
    ...{ name: 'Python', language: 'python', version: ['python3', '--version'], file: 'run.py' },
    command: (file) => ['python3', file],
  },
  {
    name: 'PHP',
    language: 'php',
    version: ['php', '--version'],
    file: 'run.php',
    command: (file) => ['php', file],
  },
  {
    ...{ name: 'Go', language: 'go', version: ['go', 'version'], file: 'main.go' },
    command: (file) => [path.join(path.dirname(file), '../bin', path.basename(path.dirname(file)))],
    // One build compiles what all have in common once.
    build: ['go', 'build', '-o', 'bin/', './...'],
  },
];

function isInstalled({ version: [command, ...args] }: Runner): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const DAY_MS = 86_400_000;

/** What the examples name: a person with an email, a token and a code of an event, a webhook with a message, and a call of v1. */
async function prepare(
  gatehouse: Gatehouse,
): Promise<{ env: Record<string, string>; transaction: string; humanCode: string }> {
  const { keys } = gatehouse.company;
  const post = <T>(
    at: string,
    body: object,
    headers: Record<string, string> = { authorization: `Bearer ${keys.sk_test}` },
  ) => sendOk<T>(gatehouse.baseUrl + at, { headers, body });
  const v1 = { 'api-key': keys.ak_test };
  const guest = await consentedRun(gatehouse, keys.sk_test, { email: 'guest@example.com' });
  await guest.flow('/test-capture', { face: 'guest' });
  const now = Date.now();
  const event = await gatehouse.cli<{ event_id: string }>(['event', 'create', '--partition', 'test'], {
    company: gatehouse.company.company_id,
    name: 'Samples',
    group: 'samples',
    starts: new Date(now - DAY_MS).toISOString(),
    ends: new Date(now + DAY_MS).toISOString(),
  });
  const token = await settledToken(gatehouse, 'alice', { group: 'samples' });
  const other = await settledToken(gatehouse, 'bob', { group: 'samples' });
  const { code: humanCode } = await post<{ code: string }>(`/v3/confirmations/${other}/code`, {});
  const { webhook_id: webhook } = await post<{ webhook_id: string }>('/v3/webhooks', {
    url: 'https://shop.example.com/own',
  });
  const { message_id: message } = await post<{ message_id: string }>(`/v3/webhooks/${webhook}/events`, {
    type: 'run.settled',
  });
  await post(
    '/v1/webhook/admin/config/create_or_edit',
    {
      webhook_type: 'USER_VERIFICATION_DETERMINED_UNFULFILLABLE',
      destination_url: 'https://shop.example.com/own',
    },
    v1,
  );
  const { invite_url: invite } = await post<{ invite_url: string }>(
    '/v1/business_connect_user/register',
    { reference_user_id: 'declines' },
    v1,
  );
  const { flow_token: flow, snapshot } = await post<{ flow_token: string; snapshot: { session_id: string } }>(
    `/flow/invites/${path.basename(invite)}/open`,
    { device: 'mobile' },
    {},
  );
  await post(`/flow/sessions/${snapshot.session_id}/decline`, {}, { 'x-flow-token': flow });
  const [call] = await post<{ transaction_id: string }[]>('/v1/webhook/admin/call/get', {}, v1);
  if (call === undefined) throw new Error('The declined check made no call.');
  await post('/v2/verification/create', { external_id: 'guest-1042' }, v1);
  return {
    env: {
      SK_TEST: keys.sk_test,
      AK_TEST: keys.ak_test,
      VYT: token,
      WEBHOOK_ID: webhook,
      MESSAGE_ID: message,
      EVENT_ID: event.event_id,
    },
    humanCode,
    transaction: call.transaction_id,
  };
}

/** Codes before their pass is locked, reads after what they read, and deletions and the test clock last. */
const rank = ({ id }: Operation): number =>
  /^make/.test(id) ? -1 : /^(delete|advance|reset)/.test(id) ? 2 : /^(read|list|lookUp)/.test(id) ? 1 : 0;

for (const runner of RUNNERS) {
  test.describe(() => {
    prerequisite(isInstalled(runner) ? null : `${runner.name} is not installed.`);
    test(`the code in ${runner.name} of every operation gets the reply that the reference shows`, async ({
      gatehouse: shared,
    }) => {
      test.setTimeout(limitMs(180_000));
      const gatehouse = await withOwnCompany(shared);
      const { env, transaction, humanCode } = await prepare(gatehouse);
      const operations = (await guidePages())
        .flatMap(({ operation }) => (operation ? [operation] : []))
        .toSorted((one, other) => rank(one) - rank(other));
      const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-samples-'));
      const options = {
        cwd: folder,
        env: { ...process.env, ...env, GO111MODULE: 'on', GOFLAGS: '-mod=mod' },
      };
      try {
        const programs = await Promise.all(
          operations.map(async (operation) => {
            const file = path.join(folder, operation.id, runner.file);
            const samples = samplesOf(operation);
            const code = samples[runner.language]
              .replaceAll(BASE_URL, gatehouse.baseUrl)
              .replaceAll(/ewh:[\w-]+/g, transaction)
              .replaceAll(/hc_[\w-]+/g, humanCode);
            await mkdir(path.dirname(file));
            await writeFile(file, code);
            return { operation, file };
          }),
        );
        if (runner.build) {
          await writeFile(path.join(folder, 'go.mod'), 'module samples\n');
          await mkdir(path.join(folder, 'bin'));
          const [command, ...args] = runner.build;
          await run(command, args, options);
        }
        for (const { operation, file } of programs) {
          const [command, ...args] = runner.command(file);
          const { stdout } = await run(command, args, options);
          const reply: unknown = JSON.parse(stdout);
          const { example } = operation.response;
          if (Array.isArray(example)) expect(reply, operation.id).toBeInstanceOf(Array);
          else
            expect(Object.keys(reply as object).toSorted(), operation.id).toEqual(
              Object.keys(example as object).toSorted(),
            );
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
