/** Decisions §6, "Nobody may fill the disk without a key". */
import { describe, expect, it } from 'vitest';
import { findSession, insertSession } from '../../../store/runs/sessions.ts';
import { sessionOf } from '../../../../testing/service/runs.ts';
import {
  openTestService,
  refusalOf,
  type TestService,
  type V3KeyType,
} from '../../../../testing/service/temp-service.ts';
import { giveConsent, openSession } from '../flow.ts';
import { initialize } from '../initialize.ts';
import { sessionsFrom } from '../../rate-limits/sessions.ts';
import { openInvite } from '../invites.ts';
import { changeLimitSettings } from '../../rate-limits/settings.ts';
import { MAX_UNOPENED } from './unopened.ts';
import { UNOPENED_LIFETIME_MS } from './sessions.ts';
import { newSession } from './sessions.ts';
import { openVerificationLink } from '../verification-link.ts';

const HOUR_MS = 3_600_000;
const ADDRESS = '198.51.100.1';

const openLink = (
  { deps, company }: TestService,
  address: string | null = ADDRESS,
  flowToken: string | null = null,
) => openVerificationLink(deps, company.default_verification_id, { device: 'mobile', flowToken, address });

const mint = async (service: TestService, key: V3KeyType, address: string | null = ADDRESS) => {
  const sessions = address === null ? null : await sessionsFrom(service.deps.db, address);
  return (await initialize(service.deps, await service.caller(key), {}, sessions)).session_id ?? '';
};

const stateAt = async (service: TestService, sessionId: string) => {
  const answer = await refusalOf(openSession(service.deps, sessionId, { device: 'mobile' }, null));
  return answer === '(not refused)' ? 'open' : answer;
};

const allowSixtyAnHour = ({ deps }: TestService) =>
  changeLimitSettings(deps, { sessions_per_hour: 60 }, 'operator:a');

const countSessions = async ({ deps }: TestService) =>
  (await deps.db.one<{ n: number }>('SELECT count(*) AS n FROM sessions'))?.n;

describe('sessions created without a secret key', () => {
  it.each<[string, (service: TestService) => Promise<unknown>]>([
    ['link', (service) => openLink(service)],
    ['publishable key', (service) => mint(service, 'pk_live')],
  ])('are limited per hour and address, even if created at the same time, by a %s', async (_, create) => {
    const service = await openTestService();
    await allowSixtyAnHour(service);
    const half = () => Array.from({ length: 35 }, () => refusalOf(create(service)));
    const answers = [...(await Promise.all(half())), ...(await Promise.all(half()))];
    expect(answers.filter((answer) => answer === '(not refused)')).toHaveLength(60);
    expect(answers.filter((answer) => answer === 'too_many_sessions')).toHaveLength(10);
    expect(await refusalOf(openLink(service, '198.51.100.2'))).toBe('(not refused)');
    service.clock.advance(HOUR_MS);
    expect(await refusalOf(openLink(service))).toBe('(not refused)');
  });

  it('count those of an invite, but not its second opening', async () => {
    const service = await openTestService();
    const invites = [];
    for (let n = 0; n < 3; n++) {
      const body = { email: `person-${n}@example.com`, expire_in_days: 1 };
      const { url } = await initialize(service.deps, await service.caller('sk_live'), body);
      invites.push(url.split('/').at(-1) ?? '');
    }
    await allowSixtyAnHour(service);
    for (let n = 0; n < 58; n++) await openLink(service);
    const open = (code = '') =>
      refusalOf(openInvite(service.deps, code, { device: 'mobile', flowToken: null, address: ADDRESS }));
    const [first, second, third] = invites;
    expect([await open(first), await open(second), await open(first), await open(third)]).toEqual([
      '(not refused)',
      '(not refused)',
      '(not refused)',
      'too_many_sessions',
    ]);
  });

  it('can be resumed by their device, whatever the limit', async () => {
    const service = await openTestService();
    await allowSixtyAnHour(service);
    const { flow_token: token, snapshot } = await openLink(service);
    for (let n = 0; n < 59; n++) await openLink(service);
    const again = await openLink(service, ADDRESS, token);
    expect(again.snapshot.session_id).toBe(snapshot.session_id);
  });

  it('end after an hour if nobody opens them, and live a day if somebody does', async () => {
    const service = await openTestService();
    const [unopened, opened] = [await mint(service, 'pk_live'), await mint(service, 'pk_live')];
    service.clock.advance(UNOPENED_LIFETIME_MS - 1);
    expect(await stateAt(service, opened)).toBe('open');
    service.clock.advance(1);
    expect(await stateAt(service, unopened)).toBe('session_expired');
    const { createdAt, expiresAt } = await sessionOf(service, opened);
    expect(expiresAt - createdAt).toBe(24 * HOUR_MS);
  });

  it('of a link or an invite count as opened once the person has given consent', async () => {
    const service = await openTestService();
    const waiting = (await openLink(service)).snapshot.session_id;
    const agreed = (await openLink(service)).snapshot.session_id;
    await giveConsent(service.deps, await sessionOf(service, agreed), { accepted: true });
    service.clock.advance(UNOPENED_LIFETIME_MS);
    expect(await stateAt(service, waiting)).toBe('session_expired');
    expect((await sessionOf(service, agreed)).expiresAt).toBeGreaterThan(service.clock.now());
  });

  it('that nobody has opened are removed beyond 5,000 in a company and partition, oldest first', async () => {
    const service = await openTestService();
    const { deps } = service;
    const secret = await mint(service, 'sk_live');
    const opened = await mint(service, 'pk_live');
    await openSession(deps, opened, { device: 'mobile' }, null);
    service.clock.advance(1_000);
    const oldest = await mint(service, 'pk_live');
    service.clock.advance(1_000);
    const last = await sessionOf(service, await mint(service, 'pk_live'));
    await deps.db.tx(async (tx) => {
      for (let n = 2; n < MAX_UNOPENED; n++) {
        const made = newSession({ ...last, now: service.clock.now(), isUnopened: true });
        await insertSession(tx, made);
      }
    });
    const before = await countSessions(service);
    expect(await findSession(deps.db, oldest)).toBeDefined();
    await mint(service, 'pk_live', '198.51.100.2');
    expect(await countSessions(service)).toBe(before);
    expect(await findSession(deps.db, oldest)).toBeUndefined();
    for (const kept of [secret, opened, last.id]) expect(await findSession(deps.db, kept)).toBeDefined();
    // The test partition has 5,000 of its own.
    expect(MAX_UNOPENED).toBe(5_000);
  });

  it('exclude those of secret keys, test keys and paired kiosks: never counted, never removed, valid for a day', async () => {
    const service = await openTestService();
    await allowSixtyAnHour(service);
    for (let n = 0; n < 60; n++) await openLink(service);
    for (const key of ['sk_live', 'sk_test', 'pk_test'] as const) {
      const session = await sessionOf(service, await mint(service, key));
      expect(session).toMatchObject({ unopenedSince: null, expiresAt: session.createdAt + 24 * HOUR_MS });
    }
    const walkUp = (await openLink(service, null)).snapshot.session_id;
    expect(await sessionOf(service, walkUp)).toMatchObject({ unopenedSince: null });
  });
});
