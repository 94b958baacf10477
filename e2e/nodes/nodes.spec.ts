/** Two nodes on one PostgreSQL: changes on one are visible on the other, nothing happens twice, and one leads. */
import { expect, test } from '@playwright/test';
import { apiOf, signIn } from '../support/pages/console.ts';
import { newKiosk, pairDevice } from '../support/pages/kiosk.ts';
import { sendOk } from '../support/http.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { attempt, consentedRun, openRun, runOf } from '../support/run.ts';
import { type Gatehouse, newPostgresDatabase, startGatehouse } from '../support/service/server.ts';
import { startSmsGateway, type SmsGateway } from '../support/sms-gateway.ts';
import {
  passV2,
  startWebhookReceiver,
  webhookAdmin,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';
import { personBefore } from '../../testing/camera/capture/capture.ts';
import { renderClips } from '../../testing/camera/clips.ts';
import { connectPage, followRequests, helloOf } from '../../testing/camera/capture/exchange-client.ts';
import { personA } from '../../testing/camera/people.ts';
import { SLOW_LOOK_MS } from '../../server/store/sql/followers.ts';
import { findPostgres } from '../../testing/postgres/server.ts';
import { limitMs } from '../../testing/tier.ts';

prerequisite(
  findPostgres() === undefined ? 'PostgreSQL is not installed (apt-get install postgresql).' : null,
);

const SOON = { timeout: limitMs(15_000) };
const GUEST = '+447400345678';

let first: Gatehouse;
let second: Gatehouse;
const running: Gatehouse[] = [];
let gateway: SmsGateway;
let receiver: WebhookReceiver;
test.beforeEach(async () => {
  test.setTimeout(limitMs(60_000));
  [gateway, receiver] = await Promise.all([startSmsGateway(), startWebhookReceiver()]);
  const env = {
    ...gateway.env,
    GATEHOUSE_DATABASE_URL: await newPostgresDatabase(),
    GATEHOUSE_WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
    GATEHOUSE_DRAIN_SECONDS: '0',
  };
  first = await startGatehouse({ env });
  running.push(first);
  second = await startGatehouse({ env });
  running.push(second);
});
test.afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop()));
  await Promise.all([gateway.close(), receiver.close()]);
});

/** Events of a console that is open on the node, as they arrive. */
async function listen(node: Gatehouse): Promise<{ told: () => string; close: () => void }> {
  const { cookie } = await signIn(node, 'admin');
  const query = `company_id=${first.company.company_id}&partition=test`;
  const stream = await eventsOf(apiOf(node, `/live?${query}`), { cookie });
  await expect.poll(stream.told).toContain('listening');
  return stream;
}

async function eventsOf(
  address: string,
  headers: Record<string, string>,
): Promise<{ told: () => string; close: () => void }> {
  const leaving = new AbortController();
  const stream = await fetch(address, { headers, signal: leaving.signal });
  let told = '';
  const read = async () => {
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) told += chunk;
  };
  read().catch(() => undefined);
  return { told: () => told, close: () => leaving.abort() };
}

test('a console shows the other node, a run is settled once, each call is sent once, and after a kill another node leads and takes the guest of a capture', async () => {
  const { keys } = first.company;

  const console = await listen(first);
  await openRun(second, keys.sk_test);
  await expect.poll(() => console.told(), SOON).toContain('event: session');
  console.close();

  const run = await consentedRun(first, keys.sk_test);
  const capture = (node: Gatehouse) => runOf(node, run).flow('/test-capture', { face: 'ana' });
  const answers = await Promise.all([first, second, first, second].map(capture));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await runOf(second, run).snapshot()).state).toBe('settled');

  const admin = webhookAdmin(second, keys.ak_test);
  await admin.save(receiver.url);
  await passV2(first, keys.ak_test, 'guest-1');
  const calls = async () => (await admin.calls()).map(({ status }) => status);
  await expect.poll(calls, SOON).toEqual(['COMPLETED']);
  const origin = (await admin.calls())[0]!.transaction_id;
  const ids = await Promise.all(Array.from({ length: 12 }, () => admin.rerun(origin)));
  await expect.poll(async () => new Set(await calls()), SOON).toEqual(new Set(['COMPLETED']));
  expect(ids.map((id) => receiver.count(id))).toEqual(ids.map(() => 1));

  const guest = await consentedRun(first, keys.sk_live);
  const camera = personBefore(await renderClips(personA));
  const page = await connectPage(guest);
  page.say(helloOf(guest));
  let requests = 0;
  await followRequests(page, camera, ({ type }) => type === 'request' && (requests += 1) === 2);
  // A load balancer that moves a guest in the middle of a capture.
  const astray = await connectPage(runOf(second, guest), 'posts');
  astray.say({ type: 'poll' });
  expect(await astray.hear()).toEqual({ type: 'again', reason: 'restarting' });

  // The node that started first leads, and only the leader sends text messages.
  await first.kill9();
  const { last } = await followRequests(page, camera);
  expect(last?.type).not.toBe('verdict');
  expect((await attempt(runOf(second, guest), camera)).result?.verified).toBe(true);
  await sendOk(`${second.baseUrl}/flow/my/code`, { body: { phone: GUEST } });
  await expect.poll(() => gateway.texts.map(({ to }) => to), SOON).toEqual([GUEST]);
  const afterwards = await admin.rerun(origin);
  await expect.poll(() => receiver.count(afterwards), SOON).toBe(1);
});

test('a kiosk at one node learns at once of an order that the other node took', async () => {
  const made = await newKiosk(first);
  const token = await pairDevice(first, made.code);
  const kiosk = await eventsOf(`${second.baseUrl}/kiosk/events`, { 'x-kiosk-token': token });
  const orders = () => kiosk.told().split('event: orders').length - 1;
  await expect.poll(orders).toBe(1);
  await made.command('reset');
  // Long before the slow look, which would find it without an announcement.
  await expect.poll(orders, { timeout: SLOW_LOOK_MS / 2 }).toBe(2);
  expect(kiosk.told()).toContain('"kind":"reset"');
  kiosk.close();
});
