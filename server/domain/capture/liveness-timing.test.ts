import { describe, expect, test } from 'vitest';
import { CAPTURE_PLAN, type LivenessStep } from '../../contract/flow.ts';
import { honestCapture } from './liveness-fixtures.ts';
import { judgeCapture, type CaptureFacts } from './liveness.ts';

const STEPS: LivenessStep[] = ['turn_left', 'blink', 'smile'];
const findingsOf = (facts: CaptureFacts) => judgeCapture(facts).findings;

describe('timing', () => {
  const timed = (times: number[], receivedAfterMs = times.at(-1)! + 300) => {
    const facts = honestCapture(['smile']);
    const frames = facts.timeline.frames.map(({ step }, index) => ({ step, at_ms: times[index]! }));
    return { ...facts, timeline: { frames }, receivedAtMs: facts.issuedAtMs + receivedAfterMs };
  };
  const GOOD = [1_000, 1_100, 1_200, 1_300, 2_600, 2_700];

  test('frames follow each other', () => {
    expect(findingsOf(timed(GOOD))).toEqual([]);
    expect(findingsOf(timed([1_000, 1_000, 1_200, 1_300, 2_600, 2_700]))).toEqual(['implausible_timing']);
    expect(findingsOf(timed([1_200, 1_100, 1_000, 1_300, 2_600, 2_700]))).toEqual(['implausible_timing']);
  });

  test('nobody reacts within a quarter of a second', () => {
    expect(findingsOf(timed([1_000, 1_100, 1_200, 1_300, 1_550, 1_650]))).toEqual(['implausible_timing']);
  });

  test('the page cannot have lived longer than the server waited', () => {
    expect(findingsOf(timed(GOOD, 1_500))).toEqual(['implausible_timing']);
    expect(findingsOf(timed(GOOD, 2_300))).toEqual([]);
  });

  test('frames do not rest before they are sent', () => {
    expect(findingsOf(timed(GOOD, 90_000))).toEqual(['implausible_timing']);
  });

  test('a capture after the challenge’s life is too slow', () => {
    const slow = GOOD.map((time) => time + 125_000);
    expect(judgeCapture(timed(slow)).personFindings).toEqual(['too_slow']);
  });
});

describe('shape of the capture', () => {
  const missing = (change: (facts: CaptureFacts) => Partial<CaptureFacts>) => {
    const facts = honestCapture(STEPS);
    expect(judgeCapture({ ...facts, ...change(facts) })).toMatchObject({
      findings: ['frames_missing'],
      personFindings: ['try_again'],
      passed: false,
    });
  };

  test('as many times as frames', () => missing(({ frames }) => ({ frames: frames.slice(1) })));
  test('a step without frames', () => missing(() => ({ steps: [...STEPS, 'look_up'] })));
  test('frames of a step that was not asked', () => missing(() => ({ steps: STEPS.slice(0, 2) })));
  test('no neutral frames', () =>
    missing(({ frames, timeline }) => ({
      frames: frames.slice(CAPTURE_PLAN.neutralFrames),
      timeline: { frames: timeline.frames.slice(CAPTURE_PLAN.neutralFrames) },
    })));
  test('neutral frames after a step', () =>
    missing(({ frames, timeline }) => ({
      frames: frames.toReversed(),
      timeline: { frames: timeline.frames.toReversed() },
    })));
  test('no frames at all', () => missing(() => ({ frames: [], timeline: { frames: [] } })));
});
