/** Webhooks of both interfaces, at the real service, with a receiver that answers as a test needs. */
import { createHmac } from 'node:crypto';
import { screen, waitFor, within } from '@testing-library/react';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { WEBHOOK_TYPES } from '../../../../server/contract/webhook-types.ts';
import { saveAllowHosts } from '../../../../server/services/webhooks/allow-list.ts';
import { sendWebhook } from '../../../../server/services/webhooks/send.ts';
import { openReceiver, testScheduler } from '../../../../testing/service/webhooks.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const V1 = { address: '/webhooks', hosts: ['127.0.0.1'] };
const ERROR_PAGE = '<h1>Out of order</h1>';
const MINUTE_MS = 60_000;

/** An admin at the page; `hosts` of the venue's network are allowed. */
async function openWebhooks({ address, hosts }: { address: string; hosts: readonly string[] }) {
  const service = await openService();
  const { deps, clock } = service;
  await saveAllowHosts(deps.db, clock, { hosts, actor: 'cli' });
  const answers = { status: 200, body: '' };
  const receiver = await openReceiver((_call, response) =>
    response.writeHead(answers.status).end(answers.body),
  );
  const scheduler = testScheduler(deps.db, clock, async (request, signal) =>
    sendWebhook(request, { ...(await deps.webhooks.policy()), signal }),
  );
  const admin = await service.as('admin');
  const { user } = await openConsole(address, admin);
  const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
  const press = async (name: string, at: Pick<typeof screen, 'findByRole'> = screen) =>
    user.click(await at.findByRole('button', { name }));
  const enter = async (at: Pick<typeof screen, 'getByLabelText'>, url: string) => {
    await user.clear(at.getByLabelText('Destination'));
    await user.paste(url);
  };
  return {
    ...{ user, clock, admin, receiver, answers, dialog, press, enter },
    /** Sends what is due. */
    send: async () => {
      await scheduler.poll();
      await scheduler.idle();
    },
    confirm: async (name: string | RegExp, button: string) => {
      const asked = await dialog(name);
      await user.type(asked.getByLabelText(/^Reason/), 'they move house');
      await press(button, asked);
    },
    /** The newest one. */
    openCall: async () => {
      await user.click(screen.getByRole('radio', { name: 'Calls' }));
      const [, row] = await within(await screen.findByRole('table')).findAllByRole('row');
      await user.click(within(row!).getByRole('button'));
      return dialog('Call');
    },
    /** Of one kind of event, in its details. */
    setDestination: async (type: string, url: string) => {
      await press(type);
      const opened = await dialog(type);
      await enter(opened, url);
      return opened;
    },
  };
}

const secretShown = async () => (await screen.findAllByText(/^whsec_[\w+/=-]{43,44}$/))[0]!.textContent;
const hmacOf = (body: Buffer, secret: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

test(
  'a destination is set, tested and signed with its secret; its call is listed and sent again',
  LONG,
  async () => {
    const page = await openWebhooks(V1);
    const { user, receiver, press, send } = page;
    const opened = await page.setDestination('The person passed', 'https://192.168.7.7/hook');
    await press('Set destination', opened);
    await opened.findByRole('alert');
    await page.enter(opened, receiver.url);
    await press('Set destination', opened);
    await opened.findByText('Saved');
    await press('Send a test event', opened);
    await opened.findByText(/^Queued for the user “webhook-test”/);
    await send();
    await user.keyboard('{Escape}');

    await press('Show');
    const secret = await secretShown();
    const [tested] = receiver.calls;
    expect(tested!.headers['x-hub-signature-256']).toBe(hmacOf(tested!.body, secret));
    await press('New secret');
    await page.confirm(/^New signing secret/, 'New secret');
    await screen.findByRole('timer');
    const renewed = await secretShown();
    expect(renewed).not.toBe(secret);

    const call = await page.openCall();
    await call.findByText('HTTP 200');
    await press('Send again', call);
    await call.findByText(/^Queued with a new ID/);
    await send();
    const again = receiver.calls[1]!;
    expect(again.headers['x-hub-signature-256']).toBe(hmacOf(again.body, renewed));
    const [before, after] = receiver.calls.map(
      ({ body }) => JSON.parse(body.toString()) as { transaction_id: string },
    );
    expect(after!.transaction_id).not.toBe(before!.transaction_id);
  },
);

test('a destination is used for all events with one tick, and deleted for one', LONG, async () => {
  const { user, receiver, press, confirm, dialog, setDestination } = await openWebhooks(V1);
  const opened = await setDestination('The person passed', receiver.url);
  await user.click(opened.getByLabelText('Use it for all events'));
  await press('Set destination', opened);
  await opened.findByText('Saved');
  await waitFor(() => expect(screen.getAllByText(receiver.url)).toHaveLength(WEBHOOK_TYPES.length));
  await press('Delete', opened);
  (await dialog(/^Delete the destination/)).getByText(receiver.url, { exact: false });
  await confirm(/^Delete the destination/, 'Delete');
  await waitFor(() => expect(screen.getAllByText(receiver.url)).toHaveLength(WEBHOOK_TYPES.length - 1));
  await (await dialog('The person passed')).findByRole('button', { name: 'Set destination' });
});

test(
  'a receiver that fails is named with its waiting call, paused, and sent the call when resumed',
  LONG,
  async () => {
    const page = await openWebhooks(V1);
    const { user, clock, receiver, answers, press, confirm, send } = page;
    const { origin } = new URL(receiver.url);
    const opened = await page.setDestination('The person passed', receiver.url);
    await press('Set destination', opened);
    Object.assign(answers, { status: 500, body: ERROR_PAGE });
    await press('Send a test event', opened);
    await opened.findByText(/^Queued/);
    await send();
    await user.keyboard('{Escape}');
    await screen.findByText(`${origin} is failing: 1 call waits.`);
    await press('Pause receiver');
    await confirm(`Pause ${origin}`, 'Pause receiver');
    await screen.findByText(`${origin} is paused: 1 call waits.`);
    clock.advance(MINUTE_MS);
    await send();
    expect(receiver.calls).toHaveLength(1);

    const call = await page.openCall();
    await call.findByText('HTTP 500');
    call.getByText(ERROR_PAGE);
    await user.keyboard('{Escape}');
    answers.status = 200;
    await press('Resume');
    await confirm(`Resume ${origin}`, 'Resume');
    await waitFor(() => expect(screen.queryByText(/is paused/)).toBeNull());
    await send();
    expect(receiver.calls).toHaveLength(2);
    await within(screen.getByRole('table')).findByText('Delivered');
  },
);

test('a receiver that is paused while no call waits raises no alarm', LONG, async () => {
  const page = await openWebhooks(V1);
  const { origin } = new URL(page.receiver.url);
  await page.press('Set destination', await page.setDestination('The person passed', page.receiver.url));
  await page.admin.ok('/webhooks/receivers/pause', { body: { origin, reason: 'not yet open' } });
  const note = await screen.findByText(`${origin} is paused. No calls wait.`);
  expect(note.closest('[data-tone]')!.getAttribute('data-tone')).toBe('quiet');
});

test('calls that failed are sent again together, and the page says how many', LONG, async () => {
  const page = await openWebhooks(V1);
  const opened = await page.setDestination('The person passed', page.receiver.url);
  await page.press('Set destination', opened);
  page.answers.status = 410;
  await page.press('Send a test event', opened);
  await opened.findByText(/^Queued/);
  await page.send();
  await page.user.keyboard('{Escape}');
  await page.openCall();
  await page.user.keyboard('{Escape}');
  await page.press('Send failed calls again');
  const asked = await page.dialog('Send failed calls again');
  await page.press('Send again', asked);
  await asked.findByText('1 call is being sent.');
});

test('a webhook of v3 is added, tested with its secret, changed and deleted', LONG, async () => {
  const page = await openWebhooks({ address: '/webhooks?kind=v3&partition=test', hosts: [] });
  const { user, receiver, dialog, press, confirm, send } = page;
  await press('Add webhook');
  const adding = await dialog('Add webhook');
  await page.enter(adding, receiver.url);
  await user.click(adding.getByLabelText(/^The daily cap is reached/));
  await press('Add webhook', adding);
  await screen.findByRole('heading', { name: 'Signing secret' });
  expect(screen.getByLabelText<HTMLInputElement>(/^The daily cap is reached/).checked).toBe(false);

  await press('Show');
  const secret = await secretShown();
  await press('Send a test event');
  await screen.findByText(/^Queued: msg_/);
  await send();
  const [call] = receiver.calls;
  const { 'webhook-id': id, 'webhook-timestamp': sent, 'webhook-signature': signature } = call!.headers;
  // The service's clock is ahead, which its own check would refuse.
  const body = call!.body.toString();
  expect(signature).toBe(new Webhook(secret).sign(String(id), new Date(Number(sent) * 1_000), body));
  expect(JSON.parse(body)).toMatchObject({ type: 'run.settled' });

  await user.type(screen.getByLabelText('Note'), 'Till system');
  await press('Save');
  await screen.findByText('Saved');
  const opened = await page.openCall();
  await opened.findByText('HTTP 200');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('radio', { name: 'Settings' }));
  await press('Delete');
  await confirm(/^Delete the webhook to/, 'Delete');
  await screen.findByRole('heading', { name: 'No webhook yet' });
});
