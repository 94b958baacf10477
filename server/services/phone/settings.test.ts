import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService, testClock } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import type { Database } from '../../store/sql/port.ts';
import { createCodeService } from './codes.ts';
import { changeSms, readSmsSettings, sendTestSms } from './settings.ts';

const ADMIN = 'operator:1';
const GATEWAY = 'https://sms.example/send?key=very-secret&to={to}&text={text}';

const audited = async ({ db }: { db: Database }): Promise<string> =>
  JSON.stringify(await db.all('SELECT action, details FROM audit_entries'));

async function installed() {
  const dir = tempDir();
  const { deps, clock } = await openTestService(dir);
  return { ...deps, ...testInstallation(deps.db, clock, dir) };
}

it('never returns a sender’s secret, nor writes it to the audit log', async () => {
  const deps = await installed();
  await changeSms(deps, { sender: 'http', url: GATEWAY }, ADMIN);
  expect(await readSmsSettings(deps)).toEqual({
    version: expect.any(String) as string,
    sender: 'http',
    source: 'settings',
    gateway_host: 'sms.example',
    account_sid: null,
    from: null,
  });
  const twilio = { account_sid: 'AC1', auth_token: 'very-secret', from: '+15005550006' };
  await changeSms(deps, { sender: 'twilio', ...twilio }, ADMIN);
  // Values left out stay.
  await changeSms(deps, { sender: 'twilio', from: '+15005550007' }, ADMIN);
  expect(JSON.stringify(await readSmsSettings(deps))).not.toContain('very-secret');
  expect(await audited(deps)).not.toContain('very-secret');
  await expect(changeSms(deps, { sender: 'http', url: 'https://sms.example' }, ADMIN)).rejects.toMatchObject({
    code: 'sms_gateway_incomplete',
  });
});

it('the environment takes precedence if it names a sender', async () => {
  const deps = await installed();
  const configured = { ...deps, sms: { sender: 'http', url: GATEWAY } as const };
  expect((await readSmsSettings(configured)).source).toBe('environment');
  await expect(changeSms(configured, { sender: 'operator' }, ADMIN)).rejects.toMatchObject({
    code: 'sms_set_by_environment',
  });
});

it('has nothing to test if staff read codes out', async () => {
  const deps = await installed();
  await expect(sendTestSms(deps, '+4915112345678', ADMIN)).rejects.toMatchObject({ code: 'sms_not_set_up' });
});

it('a test message is in the audit log, without the number', async () => {
  const gateway = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void gateway.close());
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/?to={to}&text={text}`;
  const deps = { ...(await installed()), sms: { sender: 'http', url } as const };
  await sendTestSms(deps, '+4915112345678', ADMIN);
  expect(await audited(deps)).toContain('sms.test');
  expect(await audited(deps)).not.toContain('12345678');
});

it('delivery follows a change of the sender', async () => {
  const deps = await installed();
  const desk = createCodeService(deps.db, testClock(), null, () => undefined);
  expect(desk.sends).toBe(false);
  desk.use({ send: async () => undefined });
  expect(desk.sends).toBe(true);
  await desk.close();
});
