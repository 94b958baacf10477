/**
 * Recorded clips: each is played as an actor who answers with its frames. A recorded live capture is also replayed as it
 * went, under the condition that it was recorded in.
 */
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import type { FrameEvidence } from '../../../server/domain/capture/evidence.ts';
import { isTurn, stepsNeeded } from '../../../server/domain/capture/exchange/requests.ts';
import type { FramePurpose } from '../../../server/face/protocol.ts';
import { FaceEngineError } from '../../../server/face/errors.ts';
import type { Actor, Shown } from '../scene/actor.ts';
import type { FoundClip } from './folder.ts';
import { judgePictures, judgePlayed, type AboutClip, type Judged } from '../judge.ts';
import { CONDITIONS, modeOf, type Condition } from '../plan.ts';
import { play, shownAs, type Playing } from '../play.ts';
import { replay } from './replay.ts';

/** Milliseconds until a frame arrives: within every time window. */
const AFTER_MS = 1_500;
const BETWEEN_MS = 100;

/**
 * Judges a clip under every condition that it can be measured in, or by its pictures if it has too few steps for any.
 * @param claim whom the clip's ticket names: then by the fast lane alone
 * @param isHandheld as of a phone; a recorded live capture is played as of the device that took it
 * @param analyse a `FaceEngineError` with the code `unreadable_frame` drops the frame; any other ends the evaluation
 */
export async function judgeRecorded(
  clip: FoundClip,
  analyse: (jpeg: Buffer, purpose: FramePurpose) => Promise<FrameEvidence>,
  isHandheld = false,
  claim?: Playing['claim'],
): Promise<Judged[]> {
  const { name, kind, identity, labels, tints } = clip;
  const about: AboutClip = { name, kind, identity, labels, hasTints: tints.length > 0 };
  const { frames, recording } = await clip.read();
  const measure: Playing['measure'] = async ({ take }, purpose) =>
    unlessUnreadable(analyse(await take(), purpose));
  const judged: Judged[] = [];
  const replayed = recording && !claim && (await replay(recording, measure));
  for (const condition of claim ? (['claim'] as const) : CONDITIONS) {
    if (replayed && condition === recording.capture.plan.challenge) {
      judged.push(judgePlayed(about, condition, replayed));
    } else if (isMeasurable(clip, condition)) {
      const actor = recordedActor(clip, frames);
      const playing = {
        actor,
        condition,
        seed: 1,
        isHandheld: recording?.capture.plan.isHandheld ?? isHandheld,
        claim,
        measure,
      };
      judged.push(judgePlayed(about, condition, await play(playing)));
    }
  }
  if (judged.length > 0 || claim) return judged;
  const pictures: FrameEvidence[] = [];
  for (const shown of shownOf(frames)) {
    const evidence = await measure(shown, 'rest');
    if (evidence) pictures.push(evidence);
  }
  return [judgePictures(about, pictures)];
}

/** The server requests different steps, one of them a turn; where the page's light is required, the clip needs it. */
function isMeasurable({ steps, tints }: FoundClip, condition: Condition): boolean {
  const mode = modeOf(condition);
  const needsTints = mode === 'strict' || condition === 'standard_usual_light' || condition === 'claim';
  if (needsTints && tints.length === 0) return false;
  return new Set(steps).size >= stepsNeeded({ challenge: mode, mode: 'coached' }) && steps.some(isTurn);
}

/** The clip as an actor; `fits` makes the server request the recorded steps, in any order. */
function recordedActor(clip: FoundClip, bytes: readonly Buffer[]): Actor {
  const framesOf = (step: number | null) =>
    bytes.filter((_, index) => (clip.stepOfFrame[index] ?? null) === step);
  const resting = framesOf(null);
  const unanswered = new Set(clip.steps);
  let rested = 0;
  return {
    isCalm: false,
    labels: clip.labels,
    fits({ ask, tint, step, then, again }: CaptureRequest) {
      if (again) return true;
      if (then !== undefined && !unanswered.has(then)) return false;
      if (ask === 'tint') return clip.tints.length === 0 || clip.tints[rested] === tint;
      return step === undefined || unanswered.has(step);
    },
    answer({ ask, step, stills, again }) {
      if (ask === 'tint') {
        const frame = resting[rested];
        rested += 1;
        return frame ? shownOf([frame]) : null;
      }
      // A recorded step that was not seen has no second answer, so the request lapses.
      if (again) return [];
      if (!step || !unanswered.delete(step)) return null;
      return shownOf(framesOf(clip.steps.indexOf(step)).slice(-stills));
    },
  };
}

const shownOf = (frames: readonly Buffer[]): Shown[] =>
  frames.map((jpeg, place) => ({
    ...shownAs(jpeg),
    afterMs: AFTER_MS + place * BETWEEN_MS,
  }));

async function unlessUnreadable(evidence: Promise<FrameEvidence>): Promise<FrameEvidence | null> {
  try {
    return await evidence;
  } catch (error) {
    if (error instanceof FaceEngineError && error.code === 'unreadable_frame') return null;
    throw error;
  }
}
