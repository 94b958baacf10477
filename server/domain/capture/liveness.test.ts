import { describe, expect, test } from 'vitest';
import { LIVENESS_STEPS, SINGLE_STEPS, type LivenessStep } from '../../contract/flow.ts';
import type { FrameEvidence } from './evidence.ts';
import {
  doing,
  honestCapture,
  madeUpFrame,
  resting,
  SOMEBODY,
  SOMEBODY_ELSE,
  type Look,
} from './liveness.fixture.ts';
import { judgeCapture, type CaptureFacts } from './liveness.ts';

const STEPS: LivenessStep[] = ['turn_left', 'blink', 'smile'];
const findingsOf = (facts: CaptureFacts) => judgeCapture(facts).findings;
/** Applies the same change to every frame of an honest capture. */
const changed = (change: (frame: FrameEvidence, index: number) => Partial<FrameEvidence>) => {
  const facts = honestCapture(STEPS);
  return { ...facts, frames: facts.frames.map((frame, index) => ({ ...frame, ...change(frame, index) })) };
};
const shownFor = (parts: readonly FrameEvidence[][], steps = STEPS) => honestCapture(steps, {}, parts);

test('an honest capture passes, and its frontal frames can be used for recognition', () => {
  const verdict = judgeCapture(honestCapture(STEPS));
  expect(verdict).toMatchObject({
    passed: true,
    findings: [],
    personFindings: [],
    missedSteps: [],
    selfMismatch: false,
    spoofSuspected: false,
    quality: 1,
    genuineScore: 0.98,
  });
  expect(verdict.goodFrames).toEqual([0, 1, 2, 3, 6, 7, 8, 9]);
});

test('every step passes alone and in strict mode', () => {
  for (const step of LIVENESS_STEPS) expect(findingsOf(honestCapture([step]))).toEqual([]);
  expect(
    findingsOf(
      honestCapture(['smile', 'turn_right', 'look_up', 'move_closer', 'open_mouth'], { mode: 'strict' }),
    ),
  ).toEqual([]);
});

describe('steps', () => {
  test('no step counts as another', () => {
    for (const asked of SINGLE_STEPS) {
      for (const done of SINGLE_STEPS) {
        if (asked === done) continue;
        expect(findingsOf(shownFor([resting(), doing(done)], [asked])), `${done} for ${asked}`).toContain(
          'step_missed',
        );
      }
    }
  });

  test('steps in the wrong order are reported as missed, with their indices', () => {
    const verdict = judgeCapture(shownFor([resting(), doing('turn_left'), doing('smile'), doing('blink')]));
    expect(verdict).toMatchObject({ passed: false, missedSteps: [1, 2], personFindings: ['step_missed'] });
    expect(verdict.goodFrames).toEqual([]);
  });

  test('one frame at the peak is enough, because the other may catch a blink', () => {
    const [closed] = doing('blink');
    expect(
      findingsOf(shownFor([resting(), doing('turn_left'), [madeUpFrame(), closed!], doing('smile')])),
    ).toEqual([]);
  });

  test('the change from this person’s own neutral counts', () => {
    const narrowEyes: Partial<Look> = { eyesOpen: 0.65 };
    const squint = Array.from({ length: 3 }, () => madeUpFrame(narrowEyes));
    expect(findingsOf(shownFor([squint, doing('blink')], ['blink']))).toContain('step_missed');
    const closed = Array.from({ length: 2 }, () => madeUpFrame({ eyesOpen: 0.4 }));
    expect(findingsOf(shownFor([squint, closed], ['blink']))).toEqual([]);
  });

  test('a neutral frame that already shows a step is not accepted', () => {
    const [closed] = doing('blink');
    const parts = [[...resting(2), closed!], doing('blink')];
    expect(findingsOf(shownFor(parts, ['blink']))).toEqual(['no_neutral']);
  });

  test('a neutral that is turned away or moving is not accepted', () => {
    const turned = Array.from({ length: 3 }, () => madeUpFrame({ yawDeg: -20 }));
    expect(findingsOf(shownFor([turned, resting(2)], ['turn_left']))).toEqual(['no_neutral']);
    const moving = [-6, 0, 6].map((yawDeg) => madeUpFrame({ yawDeg }));
    expect(findingsOf(shownFor([moving, doing('smile')], ['smile']))).toEqual(['no_neutral']);
  });

  test('eyes and mouth are not judged on a turned head', () => {
    const turnedSmile = Array.from({ length: 2 }, () => madeUpFrame({ smile: 0.1, yawDeg: 20 }));
    expect(findingsOf(shownFor([resting(), turnedSmile], ['smile']))).toEqual(['step_missed']);
  });
});

describe('the person', () => {
  test.each([
    ['turned to 50°', 'turn_left', { yawDeg: 20 }, { yawDeg: 50 }],
    ['lifted to 40°', 'look_up', { pitchDeg: 14 }, { pitchDeg: 40 }],
  ] as const)(
    'a frame of a head %s is left out beside a recognised one of the step, and not alone',
    (_name, step, near, far) => {
      const unlike = { embedding: SOMEBODY_ELSE };
      const both = [resting(), [madeUpFrame(near), madeUpFrame(far, unlike)]];
      expect(findingsOf(honestCapture([step], {}, both))).toEqual([]);
      const alone = [resting(), [madeUpFrame(far, unlike), madeUpFrame(far, unlike)]];
      expect(findingsOf(honestCapture([step], {}, alone))).toContain('self_mismatch');
    },
  );

  test('another person in any frame is a self mismatch', () => {
    for (const swapped of [1, 3, 6, 8]) {
      const verdict = judgeCapture(
        changed((frame, index) => ({ embedding: index === swapped ? SOMEBODY_ELSE : frame.embedding })),
      );
      expect(verdict).toMatchObject({
        passed: false,
        selfMismatch: true,
        personFindings: ['not_one_person'],
      });
    }
  });

  test('a turned face may resemble its neutral less than a frontal one', () => {
    const likeness = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2), 0, 0);
    const turnedLess = changed((frame, index) => ({
      embedding: index === 4 ? likeness(0.45) : frame.embedding,
    }));
    expect(findingsOf(turnedLess)).toEqual([]);
    const facingLess = changed((frame, index) => ({
      embedding: index === 6 ? likeness(0.45) : frame.embedding,
    }));
    expect(findingsOf(facingLess)).toEqual(['self_mismatch']);
  });

  test('the step’s other frame vouches for a turned face that cannot be recognised, if the two are alike', () => {
    const likeness = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2), 0, 0);
    const hidden = (other: Float32Array) =>
      changed((frame, index) => ({
        embedding: index === 4 ? likeness(0.3) : index === 5 ? other : frame.embedding,
      }));
    expect(findingsOf(hidden(likeness(0.75)))).toEqual([]);
    expect(findingsOf(hidden(Float32Array.of(0.75, 0, Math.sqrt(1 - 0.75 ** 2), 0)))).toEqual([
      'self_mismatch',
    ]);
    expect(findingsOf(hidden(likeness(0.35)))).toEqual(['self_mismatch']);
  });

  test('a head turned beyond 35° that cannot be recognised does not count next to a frame that can', () => {
    const STRANGE = Float32Array.of(0.1, 0, Math.sqrt(1 - 0.1 ** 2), 0);
    const turning = (yawDeg: number, { embedding = SOMEBODY, asidePx = 0 } = {}) => {
      const frame = madeUpFrame({ yawDeg, swayPx: 0 }, { embedding });
      const box = { x1: 220 + asidePx, y1: 120, x2: 420 + asidePx, y2: 380 };
      return { ...frame, face: frame.face && { ...frame.face, box } };
    };
    const known = turning(25);
    const turnedBy = (yawDeg: number, asidePx = 0, first = known) =>
      findingsOf(
        shownFor([resting(), [first, turning(yawDeg, { embedding: STRANGE, asidePx })]], ['turn_left']),
      );
    expect(turnedBy(50)).toEqual([]);
    expect(turnedBy(34), 'a face that should be known').toEqual(['self_mismatch']);
    expect(turnedBy(50, 180), 'in another place').toEqual(['self_mismatch']);
    const stranger = turning(25, { embedding: STRANGE });
    expect(turnedBy(50, 0, stranger), 'after a frame that is not known').toEqual(['self_mismatch']);
    expect(turnedBy(50, 0, turning(0)), 'the turn of somebody else').toContain('step_missed');
    const later = shownFor([resting(), [known, turning(50, { embedding: STRANGE })]], ['turn_left']);
    const frames = later.timeline.frames.map((entry, index, all) =>
      index === all.length - 1 ? { ...entry, at_ms: entry.at_ms + 900 } : entry,
    );
    expect(findingsOf({ ...later, timeline: { frames } }), 'a second later').toEqual(['self_mismatch']);
  });

  test('no face, or more than one, fails the capture', () => {
    const gone = changed((frame, index) =>
      index === 4 ? { face: null, embedding: null, faceCount: 0 } : frame,
    );
    expect(findingsOf(gone)).toEqual(['no_face']);
    expect(findingsOf(changed((_, index) => ({ faceCount: index === 7 ? 2 : 1 })))).toEqual([
      'several_faces',
    ]);
  });
});

describe('further views', () => {
  const towards = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2), 0, 0);
  const turned = (yawDeg: number, likeness: number) =>
    Array.from({ length: 2 }, () => madeUpFrame({ yawDeg, narrow: 0.9 }, { embedding: towards(likeness) }));
  const viewOf = (yawDeg: number, likeness: number) =>
    judgeCapture(
      honestCapture(['turn_left', 'blink'], {}, [resting(), turned(yawDeg, likeness), doing('blink')]),
    ).viewFrames;

  test.each<[string, number, number, number[][]]>([
    ['are a head turned by 10° to 35° that is surely the same', 20, 0.75, [[4, 5]]],
    ['are none beyond, where a face is known badly', 38, 0.75, []],
    ['are none that is hardly turned', 9.5, 0.75, []],
    ['are none that is not surely the same', 20, 0.55, []],
  ])('%s', (_name, yawDeg, likeness, expected) => {
    expect(viewOf(yawDeg, likeness)).toEqual(expected);
  });

  test('are none of a lifted head that smiles', () => {
    const smiling = Array.from({ length: 2 }, () =>
      madeUpFrame({ pitchDeg: 14, smile: 0.12 }, { embedding: towards(0.75) }),
    );
    const steps = ['turn_left', 'look_up_smile'] as const;
    const shown = [resting(), turned(20, 0.75), smiling];
    expect(judgeCapture(honestCapture(steps, {}, shown)).viewFrames).toEqual([[4, 5]]);
  });

  test('are each side to which the head was turned, and the lifted head, apart', () => {
    const lifted = Array.from({ length: 2 }, () =>
      madeUpFrame({ pitchDeg: 14 }, { embedding: towards(0.75) }),
    );
    const steps = ['turn_left', 'look_up', 'turn_right'] as const;
    const shown = [resting(), turned(20, 0.75), lifted, turned(-20, 0.75)];
    expect(judgeCapture(honestCapture(steps, {}, shown)).viewFrames).toEqual([
      [4, 5],
      [6, 7],
      [8, 9],
    ]);
  });
});

describe('the picture', () => {
  test.each([
    ['too_dark', { brightness: 20 }, 'too_dark'],
    ['too_bright', { brightness: 240 }, 'too_bright'],
    ['low_contrast', { contrast: 5 }, 'too_dark'],
    ['blurred', { sharpness: 10 }, 'blurred'],
  ] as const)('%s', (finding, change, reported) => {
    const verdict = judgeCapture(changed(() => change));
    expect(verdict.findings).toEqual([finding]);
    expect(verdict.personFindings).toEqual([reported]);
    expect(verdict.quality).toBe(0);
    expect(verdict.spoofSuspected).toBe(false);
  });

  test('a face too far away', () => {
    const far = (look: Partial<Look>) => madeUpFrame({ ...look, size: 0.3 });
    const parts = [
      Array.from({ length: 3 }, () => far({})),
      Array.from({ length: 2 }, () => far({ yawDeg: 20 })),
    ];
    expect(judgeCapture(shownFor(parts, ['turn_left']))).toMatchObject({ personFindings: ['too_far'] });
  });

  test('in the dark a missing face is reported as darkness', () => {
    const dark = changed(() => ({ face: null, embedding: null, faceCount: 0, brightness: 12 }));
    expect(judgeCapture(dark).personFindings).toEqual(['too_dark']);
  });

  test('quality follows the most limiting property of the picture', () => {
    const dim = judgeCapture(changed(() => ({ brightness: 53 }))).quality;
    expect(dim).toBeCloseTo(0.5, 1);
    expect(judgeCapture(changed(() => ({ brightness: 53, sharpness: 30 }))).quality).toBeLessThan(dim);
  });
});

describe('stills', () => {
  const duplicate = { findings: ['duplicate_frames'], spoofSuspected: true, personFindings: ['try_again'] };

  test('the same bytes twice in a capture', () => {
    const twice = changed((frame, index) => ({
      sha256: index === 8 ? 'same' : index === 7 ? 'same' : frame.sha256,
    }));
    expect(judgeCapture(twice)).toMatchObject(duplicate);
  });

  test('a neutral frame that reappears re-encoded in a step', () => {
    const still = madeUpFrame();
    const again = { ...still, sha256: 'other' };
    const facts = shownFor(
      [
        [still, ...resting(2)],
        [again, ...doing('smile')],
      ],
      ['smile'],
    );
    expect(judgeCapture(facts)).toMatchObject(duplicate);
  });

  test('two alike frames within one step may be chance; two alike in every step are not', () => {
    const pair = (look: Partial<Look>) => {
      const frame = madeUpFrame(look);
      return [frame, { ...frame, sha256: `${frame.sha256}-again` }];
    };
    expect(findingsOf(shownFor([resting(), pair({ yawDeg: 20 })], ['turn_left']))).toEqual([]);
    expect(judgeCapture(shownFor([pair({}), pair({ yawDeg: 20, swayPx: 40 })], ['turn_left']))).toMatchObject(
      duplicate,
    );
  });

  test('a face in which nothing moves', () => {
    const held = Array.from({ length: 5 }, () => madeUpFrame({ swayPx: 3 }));
    expect(findingsOf(shownFor([held.slice(0, 3), held.slice(3)], ['blink']))).toEqual([
      'duplicate_frames',
      'step_missed',
    ]);
  });

  test('frames known from an earlier capture are a replay, as are most of the resting ones; a few alike are one person at one kiosk', () => {
    const known = (resting: number, ofSteps: number) =>
      judgeCapture(
        honestCapture(STEPS, {
          seenBefore: Array.from({ length: 10 }, (_, index) =>
            index < 4 ? index < resting : index - 4 < ofSteps,
          ),
        }),
      );
    expect(known(4, 6)).toMatchObject({
      findings: ['replayed_frames'],
      spoofSuspected: true,
      personFindings: ['try_again'],
    });
    expect(known(0, 6).passed).toBe(false);
    expect(known(3, 0).passed).toBe(false);
    expect(known(2, 3).passed).toBe(true);
  });
});

describe('presentation attacks', () => {
  test('a picture tilted for a turn becomes narrower without turning', () => {
    const tilted = Array.from({ length: 2 }, () => madeUpFrame({ yawDeg: 4, narrow: 0.86 }));
    expect(judgeCapture(shownFor([resting(), tilted], ['turn_left']))).toMatchObject({
      findings: ['step_missed', 'presentation_attack'],
      spoofSuspected: true,
      personFindings: ['step_missed'],
    });
  });

  test('a doubtful score alone never fails anyone: the model doubts genuine faces in hard light', () => {
    const doubtful = changed(() => ({ genuineScore: 0.1 }));
    for (const mode of ['standard', 'strict'] as const) {
      expect(judgeCapture({ ...doubtful, mode })).toMatchObject({ passed: true, genuineScore: 0.1 });
    }
  });

  test('a doubtful score and a pattern on the face together fail the capture', () => {
    const seen = (genuineScore: number, patternDb: number) =>
      findingsOf(changed(({ cues }) => ({ genuineScore, cues: cues && { ...cues, patternDb } })));
    expect(seen(0.1, 35)).toEqual(['presentation_attack']);
    expect(seen(0.9, 13)).toEqual([]);
  });

  test('a nose that does not turn with the pose is a sheet, whatever the pose estimate', () => {
    const flat = Array.from({ length: 2 }, () => {
      const frame = madeUpFrame();
      return { ...frame, face: frame.face && { ...frame.face, yawRad: 0.35 } };
    });
    const facts = shownFor([resting(), flat], ['turn_left']);
    expect(findingsOf(facts)).toEqual(['presentation_attack']);
    expect(judgeCapture(facts).attack?.findings).toContain('nose_did_not_turn');
    expect(judgeCapture(facts).personFindings).toEqual(['try_again']);
  });

  test('one doubtful frame among good ones does not count', () => {
    const facts = changed((frame, index) => ({ genuineScore: index === 3 ? 0 : frame.genuineScore }));
    expect(findingsOf({ ...facts, mode: 'strict' })).toEqual([]);
  });
});
