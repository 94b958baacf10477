import { expect, it } from 'vitest';
import { openTestService, testClock } from '../../../testing/service/temp-service.ts';
import { testInstallation } from '../../../testing/service/installation.ts';
import { tempDir } from '../../../testing/service/temp-store.ts';
import { createCodeService } from '../phone/code-delivery.ts';
import { changeLanguageOffer, readLanguageOffer } from '../companies/languages.ts';
import { matchThresholds } from '../matching/identification.ts';
import { readMatchMargin } from '../matching/match-margin.ts';
import { readRetention } from '../people/retention-settings.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { ConsoleError } from '../console-errors.ts';
import { createLiveBus } from '../live.ts';
import {
  changeBackups,
  changeLanguages,
  changeMatching,
  changeSms,
  readBackups,
  readMatching,
  readNetwork,
  readSmsSettings,
  saveRetention,
  sendTestSms,
} from './settings.ts';

const ADMIN = 'operator:1';
const GATEWAY = 'https://sms.example/send?key=very-secret&to={to}&text={text}';

async function consoleDeps() {
  const dir = tempDir();
  const service = await openTestService(dir);
  const { deps, clock } = service;
  const live = createLiveBus(deps.db, clock, deps.events, () => undefined);
  const installation = testInstallation(deps.db, clock, dir);
  const console: ConsoleDeps = { ...deps, live, setupCode: null, installation };
  return { deps: console, scope: service.scope('live'), dir };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return '(not refused)';
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error;
    return error.code;
  }
};

const audited = async ({ db }: ConsoleDeps): Promise<string> =>
  JSON.stringify(await db.all('SELECT action, details FROM audit_entries'));

it('keeps retention within its bounds', async () => {
  const { deps } = await consoleDeps();
  const days = { case_frames: 14, template_inactive: 365, abandoned_run: 60 };
  await saveRetention(deps, days, ADMIN);
  expect((await readRetention(deps.db)).caseFramesDays).toBe(14);
  const forever = { ...days, template_inactive: 3 * 365 + 1 };
  expect(await codeOf(saveRetention(deps, forever, ADMIN))).toBe('invalid_setting');
});

it('offers every language until an admin chooses, then what was chosen, with what it was before on record', async () => {
  const { deps } = await consoleDeps();
  expect(await readLanguageOffer(deps.db)).toEqual({
    offered: ['en', 'es', 'fr', 'de'],
    default_language: 'en',
  });
  await changeLanguages(deps, { offered: ['de', 'en'], default_language: 'de' }, ADMIN);
  expect(await readLanguageOffer(deps.db)).toEqual({ offered: ['en', 'de'], default_language: 'de' });
  const [entry] = await deps.db.all<{ actor: string; details: string }>(
    "SELECT actor, details FROM audit_entries WHERE action = 'languages.change'",
  );
  expect(entry?.actor).toBe(ADMIN);
  expect(JSON.parse(entry?.details ?? '')).toMatchObject({
    before: { default_language: 'en' },
    after: { offered: ['en', 'de'], default_language: 'de' },
  });
});

it('keeps a language and a default that is offered, and changes nothing else', async () => {
  const { deps } = await consoleDeps();
  const none = { offered: [], default_language: 'en' as const };
  const other = { offered: ['fr' as const], default_language: 'en' as const };
  for (const offer of [none, other]) {
    expect(await codeOf(changeLanguages(deps, offer, ADMIN))).toBe('invalid_setting');
    await expect(changeLanguageOffer(deps.db, deps.clock, offer, ADMIN)).rejects.toThrow(RangeError);
  }
  expect((await readLanguageOffer(deps.db)).offered).toHaveLength(4);
  expect(await audited(deps)).not.toContain('languages.change');
});

it('never reads a secret of a sender back, nor writes it to the audit log', async () => {
  const { deps } = await consoleDeps();
  await changeSms(deps, { sender: 'http', url: GATEWAY }, ADMIN);
  expect(await readSmsSettings(deps)).toEqual({
    sender: 'http',
    source: 'settings',
    gateway_host: 'sms.example',
    account_sid: null,
    from: null,
  });
  const twilio = { account_sid: 'AC1', auth_token: 'very-secret', from: '+15005550006' };
  await changeSms(deps, { sender: 'twilio', ...twilio }, ADMIN);
  // What is left out stays.
  await changeSms(deps, { sender: 'twilio', from: '+15005550007' }, ADMIN);
  expect(JSON.stringify(await readSmsSettings(deps))).not.toContain('very-secret');
  expect(await audited(deps)).not.toContain('very-secret');
  expect(await codeOf(changeSms(deps, { sender: 'http', url: 'https://sms.example' }, ADMIN))).toBe(
    'invalid_setting',
  );
});

it('lets the environment go first where it names a sender', async () => {
  const { deps } = await consoleDeps();
  const installation = { ...deps.installation, sms: { sender: 'http', url: GATEWAY } as const };
  const configured = { ...deps, installation };
  expect((await readSmsSettings(configured)).source).toBe('environment');
  expect(await codeOf(changeSms(configured, { sender: 'operator' }, ADMIN))).toBe('invalid_setting');
});

it('has nothing to test where staff read codes out', async () => {
  const { deps } = await consoleDeps();
  expect(await codeOf(sendTestSms(deps, '+4915112345678'))).toBe('invalid_setting');
});

it('a desk follows the sender that is chosen', async () => {
  const { deps } = await consoleDeps();
  const desk = createCodeService(deps.db, testClock(), null, () => undefined);
  expect(desk.sends).toBe(false);
  desk.use({ send: async () => undefined });
  expect(desk.sends).toBe(true);
  await desk.close();
});

it('a margin makes every comparison stricter, within its bounds, with its reason on record', async () => {
  const { deps, scope } = await consoleDeps();
  const before = await readMatching(deps, scope);
  await changeMatching(deps, { margin: 0.04, reason: 'Many relatives at this event' }, ADMIN);
  const after = await readMatching(deps, scope);
  expect(after.same.cosine).toBeCloseTo(before.same.cosine + 0.04);
  expect((await matchThresholds(deps.db, deps.faces, 10)).near).toBeCloseTo(before.near.cosine + 0.04);
  expect(await audited(deps)).toContain('Many relatives');
  for (const margin of [-0.06, 0.11, Number.NaN]) {
    const refused = changeMatching(deps, { margin, reason: 'too far' }, ADMIN);
    await expect(refused).rejects.toThrow();
  }
  expect(await readMatchMargin(deps.db)).toBe(0.04);
});

it('makes one backup at a time, and lists it', async () => {
  const { deps } = await consoleDeps();
  const { backups } = deps.installation;
  await Promise.all([backups.begin(ADMIN), backups.begin(ADMIN)]);
  expect((await backups.running())?.percent).toBeLessThan(100);
  await backups.idle();
  const state = await readBackups(deps);
  expect(state).toMatchObject({ running: null, failure: null, key_kind: 'key_file' });
  expect(state.files).toHaveLength(1);
  expect(state.files[0]?.bytes).toBeGreaterThan(0);
});

it('says why a backup was not made', async () => {
  const { deps } = await consoleDeps();
  await changeBackups(deps, { is_on: true, folder: '/dev/null/backups', keep: 3 }, ADMIN);
  await deps.installation.backups.begin(ADMIN);
  await deps.installation.backups.idle();
  expect((await readBackups(deps)).failure).toContain('/dev/null/backups');
  expect(await codeOf(changeBackups(deps, { is_on: true, folder: 'here', keep: 3 }, ADMIN))).toBe(
    'invalid_setting',
  );
});

it('tells where the service is reached', async () => {
  const { deps } = await consoleDeps();
  expect(await readNetwork(deps)).toMatchObject({ is_loopback: false, webhook_hosts: [] });
});
