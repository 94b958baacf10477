import { beforeEach, expect, test } from 'vitest';
import { createFlowApi, type FlowApi } from './flow-api.ts';
import { flowRefusalOf } from './flow-refusal.ts';
import type { RunLink } from './link.ts';
import { snapshotWith } from './snapshots.fixture.ts';
import { createRunMemory } from './run-memory.ts';

let api: FlowApi;
let answers: Response[];
let requests: Request[];
let lastBody: BodyInit | null | undefined;

const noStorage = () => {
  throw new Error('no storage');
};

function apiOf(
  link: RunLink,
  directToken: string | null = null,
  memory = createRunMemory(link, { storage: noStorage, tab: noStorage, returns: false }),
): FlowApi {
  return createFlowApi({ run: link, directToken }, memory, {
    fetch: async (input, init) => {
      lastBody = init?.body;
      requests.push(new Request(new URL(input as string, 'https://check.example'), init));
      return answers.shift() ?? Response.error();
    },
    pause: async () => undefined,
    report: () => undefined,
  });
}

beforeEach(() => {
  [answers, requests] = [[], []];
  api = apiOf({ kind: 'session', id: 'vs_1' });
});

test('the token from opening is sent in the header of every later call', async () => {
  answers = [Response.json({ flow_token: 'ft_1', snapshot: snapshotWith() }), Response.json(snapshotWith())];
  await api.open('mobile');
  await api.snapshot();
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /flow/sessions/vs_1/open',
    'GET /flow/sessions/vs_1',
  ]);
  expect(requests.map(({ headers }) => headers.get('x-flow-token'))).toEqual([null, 'ft_1']);
});

test('the proof of a direct link is sent with the opening only', async () => {
  api = apiOf({ kind: 'session', id: 'vs_1' }, 'dt_1');
  answers = [Response.json({ flow_token: 'ft_1', snapshot: snapshotWith() }), Response.json(snapshotWith())];
  await api.open('mobile');
  expect(JSON.parse(lastBody as string)).toMatchObject({ device: 'mobile', t: 'dt_1' });
  await api.decline();
  expect(lastBody).toBeUndefined();
});

test.each([
  ['invite', '/flow/invites/c%2F1/open'],
  ['verification', '/flow/verifications/c%2F1/open'],
] as const)(
  'a link to an %s opens there, and continues with the session that it led to',
  async (kind, path) => {
    api = apiOf({ kind, id: 'c/1' });
    answers = [
      Response.json({ flow_token: 'ft_1', snapshot: snapshotWith() }),
      Response.json(snapshotWith()),
    ];
    await api.open('mobile');
    await api.decline();
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([path, '/flow/sessions/vs_1/decline']);
  },
);

test('repeating an opening whose reply was lost uses the same resume key', async () => {
  answers = [Response.error(), Response.json({ flow_token: 'ft_1', snapshot: snapshotWith() })];
  await api.open('mobile').catch(() => undefined);
  const first = lastBody as string;
  await api.open('mobile').catch(() => undefined);
  expect(lastBody).toBe(first);
  expect((JSON.parse(first) as { resume_key: string }).resume_key).toMatch(/^[0-9a-f]{32}$/);
});

test('a code that was requested too soon is an answer for the person, with its details', async () => {
  answers = [
    Response.json({ detail: 'resend_too_soon' }, { status: 429, headers: { 'retry-after': '12' } }),
    Response.json({ detail: 'wrong_code', tries_left: 3 }, { status: 400 }),
  ];
  await expect(api.sendCode('+15550100')).rejects.toMatchObject({
    code: 'resend_too_soon',
    retryAfterS: 12,
  });
  await expect(api.confirmCode('000000')).rejects.toMatchObject({
    code: 'wrong_code',
    facts: { tries_left: 3 },
  });
});

test('the life of a code is measured on the server’s clock, whatever the phone’s', async () => {
  const body = { url: 'https://c.example/#h=1', match_code: '42', expires_at: '2001-01-01T00:02:00.000Z' };
  answers = [Response.json(body, { headers: { date: 'Mon, 01 Jan 2001 00:00:00 GMT' } })];
  expect((await api.offerHandoff()).lifeMs).toBe(120_000);
});

test('a consent repeats the periods that its text named', async () => {
  answers = [Response.json(snapshotWith({ step: 'capture' }))];
  await api.consent('hosted-1', 'de', { retention_days: 14 });
  expect(JSON.parse(lastBody as string)).toEqual({
    ...{ accepted: true, text_version: 'hosted-1', language: 'de', retention_days: 14 },
  });
});

test('a message of the capture is sent once, as JSON or as the still’s own bytes', async () => {
  for (const message of [{ type: 'poll' } as const, new Blob(['x'], { type: 'application/octet-stream' })]) {
    answers = [Response.json({ messages: [] })];
    await expect(api.capture.post(message, new AbortController().signal)).resolves.toEqual({ messages: [] });
    expect((lastBody as Blob).type).toMatch(/json|octet-stream/);
  }
  answers = [Response.json({ detail: 'engine_busy' }, { status: 503 })];
  await expect(api.capture.post({ type: 'poll' }, new AbortController().signal)).rejects.toMatchObject({
    status: 503,
  });
});

test.each([
  [409, { detail: 'session_claimed' }, 'session_claimed'],
  [404, { detail: 'not found' }, 'not found'],
  [404, { message: 'Route not found' }, 'not found'],
  [418, { detail: 'something new' }, 'server'],
])('a reply %i %j is the problem "%s"', async (status, body, code) => {
  answers = [Response.json(body, { status })];
  expect(flowRefusalOf(await api.snapshot().catch((error: unknown) => error)).code).toBe(code);
});

test('following passes on each snapshot until it is stopped', async () => {
  const event = (step: string) =>
    `event: snapshot\ndata: ${JSON.stringify(snapshotWith({ step: step as never }))}\n\n`;
  answers = [new Response(event('consent') + event('capture'))];
  const stop = new AbortController();
  const seen: string[] = [];
  await api.follow(({ step }) => {
    seen.push(step);
    if (seen.length === 2) stop.abort();
  }, stop.signal);
  expect(seen).toEqual(['consent', 'capture']);
});

test('after a reload the result is read again by its session; if it is gone, the link is opened as usual', async () => {
  const kept = new Map<string, string>();
  const storage = () =>
    ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }) as Storage;
  const link = { kind: 'verification', id: 'v_1' } as const;
  const memory = (returns: boolean) => createRunMemory(link, { storage: noStorage, tab: storage, returns });
  const before = memory(false);
  before.keepToken('ft_1');
  before.settle('vs_9');
  const paths = () => requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);

  answers = [Response.json(snapshotWith({ state: 'settled' }))];
  await apiOf(link, null, memory(true)).open('mobile');
  expect(paths()).toEqual(['GET /flow/sessions/vs_9']);
  expect(requests[0]?.headers.get('x-flow-token')).toBe('ft_1');

  requests = [];
  answers = [
    Response.json({ detail: 'not found' }, { status: 404 }),
    Response.json({ flow_token: 'ft_2', snapshot: snapshotWith() }),
  ];
  await apiOf(link, null, memory(true)).open('mobile');
  expect(paths()).toEqual(['GET /flow/sessions/vs_9', 'POST /flow/verifications/v_1/open']);
  expect(kept.size).toBe(0);
});
