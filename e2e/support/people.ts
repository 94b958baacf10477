/** People and sessions for the console's pages: passed, denied, open, failed, with a long name and markup. */
import { testRun } from './reviews.ts';
import { consentedRun, openRun } from './run.ts';
import type { Gatehouse } from './service/server.ts';

export const MARKUP = '<img src=x onerror=alert(1)>';
const ANA = { full_name: 'Ana Ruiz', seat: 'A7', note: MARKUP };
const LONG = 'Maximiliane Theodora von Hohenstein-Ludwigsburg';

/** Test runs of a new company: Ana twice with two accounts, others, one that fails and one that is open. */
export async function makePeople(gatehouse: Gatehouse): Promise<void> {
  await testRun(gatehouse, 'ana', {
    external_id: 'guest-1',
    email: 'ana@example.com',
    group: 'day-1',
    metadata: ANA,
  });
  await testRun(gatehouse, 'ana', { external_id: 'guest-1b', group: 'day-1' });
  await testRun(gatehouse, 'max', {
    external_id: 'order-2026-11-21-000000041-second-attempt',
    email: 'maximiliane.hohenstein@very-long-domain-name.example.org',
    metadata: { name: LONG, seat: 'B12' },
  });
  await testRun(gatehouse, 'chloe', {
    external_id: 'guest-3',
    metadata: { name: 'Chloé Martin', vip: true },
  });
  const failing = await consentedRun(gatehouse, gatehouse.company.keys.sk_test, { external_id: 'guest-4' });
  for (let attempt = 0; attempt < 3; attempt += 1) await failing.flow('/test-capture', { face: 'blurred' });
  await openRun(gatehouse, gatehouse.company.keys.sk_test, { external_id: 'guest-5' });
}
