/** Webhooks of v3 on the command line: managing them, and trying them while one develops. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SIGNINGS, V3_EVENTS } from '../contract/webhook-types.ts';
import { isLoopbackHost } from '../domain/webhooks/destination.ts';
import { visibleLine } from '../domain/visible.ts';
import type { Scope } from '../domain/scope.ts';
import { listMessages, readMessage, replayMessages, sendSample } from '../services/webhooks/v3-messages.ts';
import { createWebhook, listWebhooks, removeWebhook } from '../services/webhooks/v3-webhooks.ts';
import type { Database } from '../store/sql/port.ts';
import { CliError, type CommandInput, optionalChoice, optionalText, print, requiredText } from './io.ts';
import { CLI_ACTOR, companyOrOldest, depsOf, inScope, withDatabase } from './with-database.ts';

/** One page of the interface; older messages are there. */
const LISTED = 100;
const LISTENER = 'gatehouse listen';
const MAX_BODY_BYTES = 64 * 1024;
/** Less than the service waits for an answer. */
const FORWARD_MS = 14_000;
/** Headers that a receiver needs, as they came. */
const FORWARDED = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-hub-signature-256',
] as const;

export const webhooksList = (input: CommandInput): Promise<unknown> =>
  inScope(input, ({ db }, scope) => listWebhooks(db, scope));

/** Prints the webhook with its secret. */
export async function webhooksCreate(input: CommandInput): Promise<unknown> {
  const url = requiredText(input, 'url');
  const signing = optionalChoice(input, 'signing', SIGNINGS);
  const named = optionalText(input, 'events')
    ?.split(',')
    .map((name) => name.trim());
  const events = V3_EVENTS.filter((event) => named === undefined || named.includes(event));
  const unknown = named?.find((name) => !V3_EVENTS.some((event) => event === name));
  if (unknown !== undefined)
    throw new CliError(`There is no event "${unknown}". Events are: ${V3_EVENTS.join(', ')}.`);
  return inScope(input, (deps, scope) =>
    createWebhook(deps, { scope, actor: CLI_ACTOR }, { url, events, ...(signing && { signing }) }),
  );
}

export async function webhooksDelete(input: CommandInput): Promise<unknown> {
  const id = requiredText(input, 'webhook');
  const reason = requiredText(input, 'reason');
  await inScope(input, (deps, scope) => removeWebhook(deps, { scope, actor: CLI_ACTOR, reason }, id));
  return { webhook_id: id };
}

/** The latest messages, newest first; with `--message` that one with its attempts and their answers. */
export async function webhooksMessages(input: CommandInput): Promise<unknown> {
  const id = requiredText(input, 'webhook');
  const message = optionalText(input, 'message');
  return inScope<unknown>(input, ({ db }, scope) =>
    message === undefined
      ? listMessages(db, scope, id, { limit: LISTED }).then(({ items }) => items)
      : readMessage(db, scope, id, message),
  );
}

/** Sends failed messages again, or all, under new IDs. */
export async function webhooksReplay(input: CommandInput): Promise<unknown> {
  const id = requiredText(input, 'webhook');
  const since = requiredText(input, 'since');
  const sinceMs = Date.parse(since);
  if (Number.isNaN(sinceMs)) throw new CliError(`"${since}" is no time. Write it like 2026-01-31T18:00:00Z.`);
  const replay = { sinceMs, isCompletedToo: input.values['include-completed'] === true };
  return inScope(input, (deps, scope) => replayMessages(deps, { scope, actor: CLI_ACTOR }, id, replay));
}

/** Queues one event with sample data for every webhook of the test partition that asks for it. */
export async function trigger(input: CommandInput): Promise<unknown> {
  const [name] = input.positionals;
  const type = V3_EVENTS.find((event) => event === name);
  if (!type) throw new CliError(`There is no event "${name}". Events are: ${V3_EVENTS.join(', ')}.`);
  const ids = await withDatabase(input, async (db) => {
    const scope = { companyId: await companyOrOldest(db, input), partition: 'test' } as const;
    return sendSample(depsOf(db), { scope, actor: CLI_ACTOR }, { webhookId: null, type });
  });
  if (ids.length === 0)
    throw new CliError(
      `No webhook of this company gets ${type} of test data. Start "gatehouse listen --forward-to <address>" first.`,
    );
  return { type, message_ids: ids };
}

/** Gets the company's test events until it is stopped, prints them and forwards them as they came. */
export async function listen(input: CommandInput): Promise<void> {
  const target = forwardTarget(requiredText(input, 'forward-to'));
  const server = createServer((request, response) => {
    forward(input, target, request, response).catch((error: unknown) => {
      process.stderr.write(`gatehouse: ${visibleLine(String(error))}\n`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await withDatabase(input, async (db) => {
      const companyId = await companyOrOldest(db, input);
      const by = { scope: { companyId, partition: 'test' }, actor: CLI_ACTOR } as const;
      await forgetEarlier(db, by);
      const address = `http://127.0.0.1:${port}/`;
      const made = await createWebhook(depsOf(db), by, { url: address, description: LISTENER });
      const secret = made.secrets[0]?.secret ?? '';
      tell(
        input,
        { event: 'listening', webhook_id: made.webhook_id, forward_to: target.href, secret },
        () => [
          `Test events of company ${companyId} go to ${target.href}. Stop with Ctrl+C.`,
          `Secret: ${secret}`,
        ],
      );
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      await removeWebhook(depsOf(db), by, made.webhook_id);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function forwardTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new CliError(`"${text}" is no web address, such as http://localhost:3000/webhooks.`);
  return url;
}

/** Those of listeners that were killed: nobody listens at their address any more. */
async function forgetEarlier(db: Database, by: { scope: Scope; actor: typeof CLI_ACTOR }): Promise<void> {
  for (const { webhook_id: id, description, url } of await listWebhooks(db, by.scope)) {
    if (description !== LISTENER || !isLoopbackHost(new URL(url).hostname)) continue;
    const isThere = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      () => true,
      () => false,
    );
    if (!isThere) await removeWebhook(depsOf(db), by, id);
  }
}

async function forward(
  input: CommandInput,
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      response.writeHead(413).end();
      return;
    }
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const startedMs = performance.now();
  const answered = await fetch(target, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(FORWARD_MS),
  }).then(
    (reply) => ({ status: reply.status, retryAfter: reply.headers.get('retry-after'), failure: null }),
    (error: unknown) => ({ status: null, retryAfter: null, failure: reasonOf(error) }),
  );
  const durationMs = Math.round(performance.now() - startedMs);
  const { type } = JSON.parse(body.toString('utf8')) as { type: string };
  const { status, retryAfter, failure } = answered;
  tell(
    input,
    { event: 'call', type, status, failure, duration_ms: durationMs, headers, body: body.toString('utf8') },
    () => [
      `${new Date().toISOString()} ${type} → ${status ?? failure} (${durationMs} ms)`,
      ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
      `  ${body.toString('utf8')}`,
    ],
  );
  response.writeHead(status ?? 502, retryAfter === null ? {} : { 'retry-after': retryAfter }).end();
}

/** The cause says more than "fetch failed". */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};

const tell = (input: CommandInput, json: object, lines: () => string[]): void =>
  print(
    input.values['json'] === true ? visibleLine(JSON.stringify(json)) : lines().map(visibleLine).join('\n'),
  );
