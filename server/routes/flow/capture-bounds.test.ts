/** What the transports of a capture refuse: stills that arrive too fast, and invalid messages. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  CAPTURE_BOUNDS,
  stillPrefix,
  type CaptureAnswers,
  type ServerMessage,
} from '../../contract/capture.ts';
import {
  connectPage,
  followRequests,
  helloOf,
  type FlowTarget,
} from '../../../testing/camera/capture/exchange-client.ts';
import { madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { openFlowServer } from '../../../testing/service/flow-server.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

test('a fifth still waits until an earlier one is judged', async () => {
  const service = await openTestService();
  const person = madeUpPerson(service.clock, FACE);
  const isReady = Promise.withResolvers<undefined>();
  const { target } = await openFlowServer(service, {
    async analyse(stills) {
      await isReady.promise;
      return person.analyse(stills);
    },
  });
  const page = await connectPage(target);
  onTestFinished(() => page.drop());
  page.say(helloOf(target));
  const { heard, last } = await followRequests(page, person, ({ type }) => type === 'wait');
  expect(last).toMatchObject({ type: 'wait', seq: CAPTURE_BOUNDS.maxUnjudged });
  expect(heard.map(({ type }) => type)).not.toContain('judged');
  const request = heard.findLast((message) => message.type === 'request');
  if (request?.type !== 'request') throw new Error('Nothing was asked for.');
  isReady.resolve(undefined);
  for (let message = await page.hear(); message?.type !== 'judged';) message = await page.hear();
  page.still({ request: request.id, seq: CAPTURE_BOUNDS.maxUnjudged }, await person.show(request, 0));
  const isJudged = async (): Promise<boolean> => {
    const message = await page.hear();
    if (message?.type === 'judged' && message.seq === CAPTURE_BOUNDS.maxUnjudged) return message.usable;
    return message !== null && isJudged();
  };
  expect(await isJudged()).toBe(true);
});

const header = (seq = 0) => stillPrefix({ type: 'still', request: 1, seq });
const NOT_A_STILL: readonly Uint8Array<ArrayBuffer>[] = [
  // No bytes.
  new Uint8Array(),
  // A header longer than the message.
  Uint8Array.of(255, 255, 123),
  // A header without a picture.
  header(),
  // A header that is not JSON.
  Uint8Array.of(0, 2, 123, 123, 255),
  // A header beyond its limits.
  Uint8Array.of(...header(-1), 255),
];

async function openTarget(): Promise<FlowTarget> {
  const service = await openTestService();
  return (await openFlowServer(service, madeUpPerson(service.clock, FACE))).target;
}

test('invalid stills get an error, and five of them end a capture over POSTs', async () => {
  const target = await openTarget();
  const post = async (type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${target.baseUrl}/flow/sessions/${target.sessionId}/capture/messages`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-flow-token': target.flowToken },
      body,
    });
  await post('application/json', JSON.stringify(helloOf(target)));
  const tooLarge = await post(
    'application/octet-stream',
    new Uint8Array(CAPTURE_BOUNDS.maxStillBytes + 4_096),
  );
  expect(tooLarge.status).toBe(413);
  const answers = [];
  for (const bytes of NOT_A_STILL) {
    const { messages } = (await (await post('application/octet-stream', bytes)).json()) as CaptureAnswers;
    answers.push(...messages);
  }
  const error = { type: 'error', code: 'message_invalid' };
  expect(answers).toEqual(
    NOT_A_STILL.map((_bytes, at) => ({ ...error, fatal: at === NOT_A_STILL.length - 1 })),
  );
});

test('invalid stills get an error over a WebSocket, and a huge message closes it', async () => {
  const target = await openTarget();
  const socket = new WebSocket(
    `${target.baseUrl.replace(/^http/, 'ws')}/flow/sessions/${target.sessionId}/capture`,
  );
  const errors: unknown[] = [];
  socket.addEventListener('open', () => socket.send(JSON.stringify(helloOf(target))));
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ServerMessage;
    if (message.type === 'error') errors.push(message.code);
    if (message.type !== 'welcome') return;
    for (const bytes of NOT_A_STILL.slice(1)) socket.send(bytes);
    socket.send(new Uint8Array(CAPTURE_BOUNDS.maxStillBytes + 4_096));
  });
  const code = await new Promise((resolve) => {
    socket.addEventListener('close', (event) => resolve(event.code));
  });
  expect(errors).toEqual(NOT_A_STILL.slice(1).map(() => 'message_invalid'));
  expect(code).toBe(1_009);
});

/** Sends the head of a request and no body; resolves with the reply's status line. */
async function statusBeforeBody(baseUrl: string, path: string, headers: string): Promise<string> {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: 500000\r\n\r\n`);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  return reply.toString().split('\r\n', 1)[0] ?? '';
}

test('a still is not read before its sender is known', async () => {
  const { baseUrl, sessionId } = await openTarget();
  const still = 'Content-Type: application/octet-stream\r\n';
  const path = `/flow/sessions/${sessionId}/capture/messages`;
  expect(await statusBeforeBody(baseUrl, path, still)).toBe('HTTP/1.1 401 Unauthorized');
  expect(await statusBeforeBody(baseUrl, path, `${still}X-Flow-Token: nobody\r\n`)).toBe(
    'HTTP/1.1 401 Unauthorized',
  );
  expect(
    await statusBeforeBody(baseUrl, '/flow/sessions/vs_0/capture/messages', `${still}X-Flow-Token: x\r\n`),
  ).toBe('HTTP/1.1 404 Not Found');
});

test('a WebSocket of nobody is cut off before it has sent a still', async () => {
  const { baseUrl, sessionId } = await openTarget();
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/flow/sessions/${sessionId}/capture`);
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code));
  });
  socket.addEventListener('open', () => socket.send(new Uint8Array(CAPTURE_BOUNDS.maxStillBytes - 1)));
  // Without a word of closing, which would follow a whole message.
  expect(await closed).toBe(1_006);
});
