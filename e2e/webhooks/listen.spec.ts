/** `gatehouse listen` and `gatehouse trigger`: test events arrive, signed, at a program on the developer's machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { CLI } from '../support/service/command-line.ts';
import { test } from '../support/service/shared-server.ts';
import { newCompany } from '../support/venue.ts';
import { limitMs } from '../../testing/tier.ts';

const SOON = { timeout: limitMs(5_000) };
type Line = { event: string; secret?: string; type?: string; status?: number; webhook_id?: string };

test('a test event is printed and forwarded as it came, and nothing stays when it ends', async ({
  gatehouse,
}) => {
  const { company_id: company, keys } = await newCompany(gatehouse, 'Harbour');
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const app = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const address = `http://127.0.0.1:${(app.address() as AddressInfo).port}/webhooks`;

  const args = ['--data-dir', gatehouse.dataDir, 'listen', '--forward-to', address, '--company', company];
  const listener = spawn(process.execPath, [CLI, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  createInterface(listener.stdout).on('line', (line) => lines.push(JSON.parse(line) as Line));
  await expect.poll(() => lines[0]?.event, SOON).toBe('listening');

  await gatehouse.cli(['trigger', 'pass.locked', '--company', company]);
  await expect.poll(() => received.length, SOON).toBe(1);
  const [call] = received;
  const checked = new Webhook(lines[0]?.secret ?? '').verify(
    call?.body ?? '',
    call?.headers as Record<string, string>,
  );
  expect(checked).toMatchObject({ type: 'pass.locked', data: { external_id: 'sample' } });
  await expect.poll(() => lines[1]).toMatchObject({ event: 'call', type: 'pass.locked', status: 204 });

  listener.kill('SIGINT');
  const [code] = (await once(listener, 'exit')) as [number];
  expect(code).toBe(0);
  app.close();
  const reply = await fetch(`${gatehouse.baseUrl}/v3/webhooks`, {
    headers: { authorization: `Bearer ${keys.sk_test}` },
  });
  expect(await reply.json()).toEqual({ items: [] });
  await expect(gatehouse.cli(['trigger', 'pass.locked', '--company', company])).rejects.toThrow(
    'Start "gatehouse listen',
  );
  await expect(gatehouse.cli(['trigger', 'pass.flown', '--company', company])).rejects.toThrow('no event');
});

test('a live webhook to this machine is refused with the setting; one of test keys shows its messages and sends them again', async ({
  gatehouse,
}) => {
  const { company_id: company } = await newCompany(gatehouse, 'Pier');
  const create = (more = {}) =>
    gatehouse.cli<{ webhook_id: string; secrets: { secret: string }[] }>(['webhooks', 'create'], {
      company,
      url: 'http://127.0.0.1:9/',
      ...more,
    });
  await expect(create()).rejects.toThrow('GATEHOUSE_WEBHOOK_ALLOW_HOSTS');
  const made = await create({ partition: 'test', signing: 'key_pair' });
  expect(made.secrets[0]?.secret).toMatch(/^whpk_/);
  const own = ['--company', company, '--partition', 'test'];
  expect(await gatehouse.cli(['webhooks', 'list', ...own])).toHaveLength(1);

  const trigger = ['trigger', 'pass.locked', '--company', company];
  const { message_ids: ids } = await gatehouse.cli<{ message_ids: string[] }>(trigger);
  const at = [...own, '--webhook', made.webhook_id];
  expect(await gatehouse.cli(['webhooks', 'messages', ...at])).toMatchObject([{ message_id: ids[0] }]);
  const message = () =>
    gatehouse.cli<{ tries: object[] }>(['webhooks', 'messages', ...at, '--message', ids[0] ?? '']);
  await expect
    .poll(async () => (await message()).tries, SOON)
    .toMatchObject([{ network_failure: expect.stringContaining('ECONNREFUSED') as unknown }]);
  const replay = (since: string) =>
    gatehouse.cli(['webhooks', 'replay', ...at, '--since', since, '--include-completed']);
  expect(await replay('2026-01-31T18:00:00Z')).toEqual({ message_ids: [], waiting: 1 });
  await expect(replay('yesterday')).rejects.toThrow('"yesterday" is no time');
  await gatehouse.cli(['webhooks', 'delete', ...at, '--reason', 'end of test']);
  expect(await gatehouse.cli(['webhooks', 'list', ...own])).toEqual([]);
});
