/** A sitting for the evaluation, as a server keeps it. */
import type { Recording } from '../../server/domain/capture/recording.ts';

export const recording = (change: Partial<Recording> = {}): Recording => ({
  organiser: 'Venue',
  identity: 'p01',
  attack: null,
  labels: { light: 'dim' },
  code: 'ABCD2345',
  day: '2026-11-23',
  keptUntil: '2027-02-21',
  consent: { version: 'a-text', language: 'de', digest: null, at: '2026-11-23T09:00:00.000Z' },
  capture: {
    plan: { challenge: 'strict', mode: 'coached', isCalm: false, isHandheld: false },
    events: [{ atMs: 1_200, event: { type: 'still', request: 1, seq: 0 } }],
    requests: [{ ask: 'tint', tint: 'mint' }],
    verdict: null,
  },
  stills: new Map([
    [0, Buffer.from('the first still')],
    [2, Buffer.from('another')],
  ]),
  ...change,
});
