import { expect, it } from 'vitest';
import { startStageIn } from './start-stage.ts';

const line = (event: unknown) =>
  JSON.stringify({ level: 30, face_engine: event, msg: 'a thread of the face engine is starting' });

it.each([
  [line({ type: 'worker_starting', worker: 0, stage: 'loaded', afterMs: 1 }), 'loaded'],
  [line({ type: 'worker_starting', worker: 1, stage: 'opened', afterMs: 1 }), 'opened'],
  [line({ type: 'worker_starting', worker: 1, stage: 'later', afterMs: 1 }), null],
  [line({ type: 'worker_ready', worker: 1 }), null],
  ['worker_starting', null],
  ['gatehouse: The port is in use.', null],
])('%s', (text, stage) => {
  expect(startStageIn(text)).toBe(stage);
});
