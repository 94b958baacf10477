import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  ClientMessage,
  CaptureRequest,
  ServerMessage,
  StillHeader,
} from '../../../server/contract/capture.ts';
import { snapshotWith } from '../../flow/snapshots.fixture.ts';
import {
  type Carrier,
  type CarrierEvents,
  createCaptureClient,
  type CaptureClient,
  type ClientEvents,
  type OpenCarrier,
  type ResumeMemory,
} from './client.ts';

const GREETING = { mode: 'coached', camera: { virtual: false, changed: false } } as const;
const JPEG = new Blob(['jpeg'], { type: 'image/jpeg' });

/** One connection as the test's server sees it. */
type Line = CarrierEvents & { kind: 'socket' | 'posts'; sent: (ClientMessage | Blob)[]; isClosed: boolean };

let lines: Line[];
let client: CaptureClient;
let memory: ResumeMemory;
let events: { [K in keyof ClientEvents]: ReturnType<typeof vi.fn<ClientEvents[K]>> };

const carrier =
  (kind: Line['kind']): OpenCarrier =>
  (heard): Carrier => {
    const line: Line = { ...heard, kind, sent: [], isClosed: false };
    lines.push(line);
    return {
      send: (message) => line.sent.push(message),
      sendStill: (still) => line.sent.push(still),
      close: () => (line.isClosed = true),
    };
  };
const line = (): Line => {
  const last = lines.at(-1);
  if (last === undefined) throw new Error('no connection');
  return last;
};
const hear = (message: ServerMessage) => line().onMessage(message);
const welcome = (change: { resumed?: boolean; next_seq?: number; sign_nonce?: string } = {}) =>
  hear({
    type: 'welcome',
    resume_key: 'r'.repeat(16),
    resumed: false,
    next_seq: 0,
    resume_within_ms: 20_000,
    ends_in_ms: 90_000,
    ...change,
  });
const request = (id: number): CaptureRequest => ({
  type: 'request',
  id,
  ask: 'tint',
  tint: 'rose',
  stills: 1,
  opens_in_ms: 0,
  closes_in_ms: 10_000,
  steps_done: 0,
  steps_expected: 2,
});
const hellos = () => line().sent.filter((sent) => !(sent instanceof Blob) && sent.type === 'hello');
async function headersSent(): Promise<StillHeader[]> {
  const stills = line().sent.filter((sent) => sent instanceof Blob);
  return Promise.all(
    stills.map(async (still) => {
      const bytes = new DataView(await still.arrayBuffer());
      const json = new Uint8Array(bytes.buffer, 2, bytes.getUint16(0));
      return JSON.parse(new TextDecoder().decode(json)) as StillHeader;
    }),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  // The only part of a window that the client needs.
  vi.stubGlobal('window', new EventTarget());
  lines = [];
  memory = { key: null };
  events = {
    onBegun: vi.fn<ClientEvents['onBegun']>(),
    onRequest: vi.fn<ClientEvents['onRequest']>(),
    onJudged: vi.fn<ClientEvents['onJudged']>(),
    onChecking: vi.fn<ClientEvents['onChecking']>(),
    onVerdict: vi.fn<ClientEvents['onVerdict']>(),
    onAgain: vi.fn<ClientEvents['onAgain']>(),
    onRefused: vi.fn<ClientEvents['onRefused']>(),
    onConnected: vi.fn<ClientEvents['onConnected']>(),
  };
  client = createCaptureClient(
    { socket: carrier('socket'), posts: carrier('posts'), token: () => 'ft_1' },
    memory,
    events,
  );
});
afterEach(() => {
  client.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Connected, greeted, and with an open request. */
function begin() {
  line().onOpen();
  client.start(GREETING);
  welcome();
  hear(request(1));
}
const loseConnection = async () => {
  line().onLost();
  await vi.advanceTimersByTimeAsync(0);
  line().onOpen();
};

test('connects at once, and sends hello only when the page is ready', () => {
  line().onOpen();
  expect(line().sent).toEqual([]);
  client.start(GREETING);
  expect(line().sent).toEqual([{ type: 'hello', protocol: 1, flow_token: 'ft_1', ...GREETING }]);
});

test('a connection that ends before any message is opened again when there is one', () => {
  line().onOpen();
  line().onLost();
  expect(lines).toHaveLength(1);
  client.start(GREETING);
  expect(lines).toHaveLength(2);
});

test('requests are passed on in order, and an overtaken one is left out', () => {
  begin();
  hear(request(3));
  hear(request(2));
  expect(events.onRequest.mock.calls.map(([{ id }]) => id)).toEqual([1, 3]);
});

test('stills are numbered, and sent again if the server asked to wait', async () => {
  begin();
  client.sendStill(1, JPEG);
  client.sendStill(1, JPEG);
  hear({ type: 'wait', seq: 1, retry_in_ms: 300 });
  await vi.advanceTimersByTimeAsync(300);
  expect((await headersSent()).map(({ seq }) => seq)).toEqual([0, 1, 1]);
});

test('a kiosk signs its stills in order, if the server asks for it', async () => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign', 'verify'],
  );
  const raw = Buffer.from(await crypto.subtle.exportKey('raw', publicKey));
  const sign = async (text: string) =>
    Buffer.from(
      await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        new TextEncoder().encode(text),
      ),
    ).toString('base64url');
  client.close();
  client = createCaptureClient(
    { socket: carrier('socket'), posts: carrier('posts'), token: () => 'ft_1', signer: async () => sign },
    memory,
    events,
  );
  line().onOpen();
  client.start(GREETING);
  welcome({ sign_nonce: 'n1' });
  hear(request(1));
  client.sendStill(1, JPEG);
  client.sendStill(1, JPEG);
  await expect.poll(() => line().sent.filter((sent) => sent instanceof Blob)).toHaveLength(2);
  const headers = await headersSent();
  expect(headers.map(({ seq }) => seq)).toEqual([0, 1]);
  const bytes = Buffer.from(await JPEG.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'verify',
  ]);
  for (const { seq, signature } of headers) {
    const text = new TextEncoder().encode(`gatehouse still 1\nn1\n1 tint rose\n${seq}\n${sha256}`);
    const signed = Buffer.from(signature ?? '', 'base64url');
    expect(await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signed, text)).toBe(true);
  }
});

test('at most four stills wait to be judged', () => {
  begin();
  for (let sent = 0; sent < 4; sent += 1) client.sendStill(1, JPEG);
  expect(client.canSend()).toBe(false);
  hear({ type: 'judged', seq: 0, usable: true, hints: [] });
  expect(client.canSend()).toBe(true);
});

describe('a lost connection', () => {
  test('is resumed with the key, and resends what did not arrive', async () => {
    begin();
    client.sendStill(1, JPEG);
    client.sendStill(1, JPEG);
    await loseConnection();
    expect(hellos()).toMatchObject([{ resume_key: 'r'.repeat(16) }]);
    welcome({ resumed: true, next_seq: 1 });
    expect((await headersSent()).map(({ seq }) => seq)).toEqual([1]);
    expect(events.onBegun).toHaveBeenCalledTimes(1);
  });

  test('to a restarted server begins a new capture, from the first still', async () => {
    begin();
    client.sendStill(1, JPEG);
    await loseConnection();
    welcome({ resumed: false });
    expect(events.onBegun).toHaveBeenCalledTimes(2);
    hear(request(1));
    client.sendStill(1, JPEG);
    expect(await headersSent()).toMatchObject([{ request: 1, seq: 0 }]);
  });

  test('is reported after the second failure, and retried with both transports, increasingly slowly', async () => {
    begin();
    line().onLost();
    await vi.advanceTimersByTimeAsync(0);
    expect(events.onConnected).not.toHaveBeenCalled();
    for (let failures = 0; failures < 4; failures += 1) {
      line().onLost();
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(events.onConnected).toHaveBeenCalledExactlyOnceWith(false);
    expect(lines.map(({ kind }) => kind)).toEqual(['socket', 'socket', 'posts', 'socket', 'posts', 'socket']);
    line().onOpen();
    welcome();
    expect(events.onConnected).toHaveBeenLastCalledWith(true);
  });

  test('that nobody reported is noticed when a still is not answered', async () => {
    begin();
    client.sendStill(1, JPEG);
    await vi.advanceTimersByTimeAsync(8_001);
    expect(lines).toHaveLength(2);
  });

  test('is retried immediately once the network is back', async () => {
    begin();
    for (let failures = 0; failures < 5; failures += 1) {
      line().onLost();
      await vi.advanceTimersByTimeAsync(5_000);
    }
    const before = lines.length;
    line().onLost();
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(lines).toHaveLength(before + 1);
  });
});

test('a capture that took too long starts again, without its key', async () => {
  begin();
  hear({ type: 'again', reason: 'too_slow' });
  expect(events.onAgain).toHaveBeenCalledWith('too_slow');
  await vi.advanceTimersByTimeAsync(0);
  line().onOpen();
  expect(hellos()).toHaveLength(1);
  expect(hellos()[0]).not.toHaveProperty('resume_key');
});

test('a capture that another tab took over is not resumed', async () => {
  begin();
  hear({ type: 'again', reason: 'taken_over' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toHaveLength(1);
  expect(line().isClosed).toBe(true);
});

test('a server with too many captures is retried at the time it names', async () => {
  line().onOpen();
  client.start(GREETING);
  hear({ type: 'error', code: 'too_many_captures', fatal: true, retry_in_ms: 3_000 });
  expect(events.onRefused).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(lines).toHaveLength(2);
});

test('a refusal ends the capture and is passed on', () => {
  begin();
  hear({ type: 'error', code: 'session_expired', fatal: true });
  expect(events.onRefused).toHaveBeenCalledWith('session_expired');
  expect(line().isClosed).toBe(true);
});

test('the verdict ends the capture and deletes its key', () => {
  begin();
  hear({ type: 'checking' });
  hear({ type: 'verdict', snapshot: snapshotWith({ step: 'result', state: 'settled' }) });
  expect(events.onVerdict).toHaveBeenCalledTimes(1);
  expect(memory.key).toBeNull();
  expect(line().isClosed).toBe(true);
});

test('over POSTs, a capture that is begun again sends no leave that could end the new one', () => {
  const restarted = () => {
    const before = line();
    client.restart(GREETING);
    line().onOpen();
    expect(before.isClosed).toBe(true);
    expect(hellos()).toHaveLength(1);
    expect(hellos()[0]).not.toHaveProperty('resume_key');
    return { kind: before.kind, left: before.sent.some((sent) => 'type' in sent && sent.type === 'leave') };
  };
  begin();
  expect(restarted()).toEqual({ kind: 'socket', left: true });
  line().onLost();
  vi.advanceTimersByTime(0);
  line().onOpen();
  welcome();
  expect(restarted()).toEqual({ kind: 'posts', left: false });
});

test('a person who leaves abandons the capture; a hidden page only closes the connection', () => {
  begin();
  client.close();
  expect(line().sent).not.toContainEqual({ type: 'leave' });
  expect(memory.key).not.toBeNull();
  client = createCaptureClient(
    { socket: carrier('socket'), posts: carrier('posts'), token: () => 'ft_1' },
    memory,
    events,
  );
  line().onOpen();
  client.start(GREETING);
  welcome({ resumed: true, next_seq: 2 });
  client.leave();
  expect(line().sent).toContainEqual({ type: 'leave' });
  expect(memory.key).toBeNull();
});
