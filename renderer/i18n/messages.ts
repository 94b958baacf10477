/** The shape of everything a person reads. One file a language fills it; a missing word does not compile. */
import type { LivenessStep, PersonFinding } from '../../server/contract/flow.ts';
import type { BrowserFamily } from './browser.ts';

/** What may be wrong with the view of the face, said before anything is judged. */
export type CoachHint =
  | 'no_face'
  | 'several_faces'
  | 'covered'
  | 'too_dark'
  | 'too_bright'
  | 'backlit'
  | 'too_far'
  | 'too_close'
  | 'off_centre'
  | 'look_straight'
  | 'hold_still';

/** Ways in which a camera can be missing. */
export type CameraTrouble = 'denied' | 'absent' | 'in_use' | 'unsupported' | 'lost' | 'not_loaded';

/** Why a link leads nowhere. */
export type DeadEnd =
  'unknown' | 'claimed' | 'expired' | 'settled' | 'cancelled' | 'server' | 'unsupported_step';

/** Why a request is being repeated. */
export type WaitReason = 'offline' | 'busy' | 'maintenance';

export type TitleAndText = { title: string; text: string };

export type CaptureWords = {
  asking: TitleAndText;
  preparing: TitleAndText;
  preparingCheck: string;
  lookStraight: string;
  holdStill: string;
  /** At most five words each. */
  steps: Record<LivenessStep, string>;
  /** At most five words each. */
  hints: Record<CoachHint, string>;
  /** How to manage a step that takes long. */
  stuck: Record<LivenessStep, string>;
  startAgain: string;
  challengeEnded: string;
  done: string;
  stop: string;
  paused: TitleAndText;
  resume: string;
  progress: (done: number, total: number) => string;
  previewLabel: string;
  trouble: Record<CameraTrouble, TitleAndText>;
  allowCamera: Record<BrowserFamily, string>;
  tryAgain: string;
};

export type Messages = {
  documentTitle: string;
  language: string;
  testMode: string;
  provider: string;
  loading: string;
  consent: {
    title: string;
    whyTerm: string;
    why: (organiser: string) => string;
    keptTerm: string;
    kept: string;
    howLongTerm: string;
    /** `duration` is already in words, such as "3 years"; null when nothing is kept afterwards. */
    howLong: (duration: string | null) => string;
    accept: string;
    decline: string;
    more: string;
    details: (organiser: string) => readonly string[];
  };
  leave: { title: string; text: (organiser: string) => string; confirm: string; back: string };
  desktop: TitleAndText & {
    linkLabel: string;
    copy: string;
    copied: string;
    follows: string;
    useThisCamera: string;
  };
  test: {
    title: string;
    text: string;
    camera: string;
    faceTitle: string;
    faces: Record<TestFace, string>;
    nameLabel: string;
    useName: string;
  };
  capture: CaptureWords;
  sending: string;
  checking: TitleAndText;
  waiting: Record<WaitReason, TitleAndText>;
  retry: { title: string; again: string; triesLeft: (count: number) => string; interrupted: string };
  findings: Record<PersonFinding, string>;
  result: {
    passed: TitleAndText;
    pending: { title: string; text: (organiser: string) => string };
    denied: { title: string; text: (organiser: string) => string };
    declined: { title: string; text: (organiser: string) => string };
    continue: string;
    returning: (seconds: number) => string;
    stay: string;
    close: string;
  };
  deadEnds: Record<DeadEnd, TitleAndText>;
  retryNow: string;
};

/** Names that the test partition understands and the page offers as buttons. */
export const TEST_FACES = ['alice', 'bob', 'near:alice', 'spoof', 'blurred'] as const;
export type TestFace = (typeof TEST_FACES)[number];
