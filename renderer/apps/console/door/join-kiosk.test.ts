import { expect, it } from 'vitest';
import { joinStateOf } from './JoinKiosk.tsx';

const CODE = '2026-11-23T21:10:00.000Z';
const LATER = '2026-11-23T21:30:00.000Z';
const PAIRED = '2026-11-23T20:00:00.000Z';
const PAIRED_AGAIN = '2026-11-23T21:05:00.000Z';

it.each([
  ['has not answered yet', null, undefined, 'waiting'],
  ['waits for its first device', null, { paired_at: null, code_ends_at: CODE }, 'waiting'],
  ['got its first device', null, { paired_at: PAIRED, code_ends_at: null }, 'joined'],
  [
    'keeps its old device until another one uses the code',
    PAIRED,
    { paired_at: PAIRED, code_ends_at: CODE },
    'waiting',
  ],
  ['got another device', PAIRED, { paired_at: PAIRED_AGAIN, code_ends_at: null }, 'joined'],
  ['has a code that expired', null, { paired_at: null, code_ends_at: null }, 'expired'],
  [
    'keeps its old device after the code expired',
    PAIRED,
    { paired_at: PAIRED, code_ends_at: null },
    'expired',
  ],
  ['got another code elsewhere', null, { paired_at: null, code_ends_at: LATER }, 'expired'],
] as const)('a kiosk that %s', (_, pairedBefore, now, state) => {
  expect(joinStateOf({ ends_at: CODE, kiosk: { paired_at: pairedBefore } }, now)).toBe(state);
});
