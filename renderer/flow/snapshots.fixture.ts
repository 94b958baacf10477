/** Snapshots for the tests of the hosted flow. */
import type { Presentation, Snapshot } from '../../server/contract/flow.ts';

export const snapshotWith = (change: Partial<Snapshot> = {}): Snapshot => ({
  session_id: 'vs_1',
  state: 'open',
  step: 'consent',
  is_test: false,
  branding: { organiser: 'Northside Festival', logo_url: null },
  attempts_left: 3,
  findings: [],
  auto_return: false,
  retention_days: 1095,
  expires_at: '2026-01-02T00:00:00.000Z',
  phone: null,
  handoff: null,
  result: null,
  ...change,
});

export const settledWith = (presented: Presentation, change: Partial<Snapshot> = {}): Snapshot =>
  snapshotWith({
    state: 'settled',
    step: 'result',
    result: {
      verified: false,
      presented,
      return_url: 'https://a.example/?vyc=1',
      requested_url: null,
      vyt: 't',
      vyc: 1,
    },
    ...change,
  });
