/** The shape of everything a person reads. One file a language fills it; a missing word does not compile. */
import type { FlowStep, LivenessStep, PersonFinding, TestDecision } from '../../server/contract/flow.ts';
import type { BrowserFamily, PhoneSystem } from './browser.ts';

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
export type CameraTrouble =
  | 'denied'
  | 'absent'
  | 'in_use'
  | 'unsupported'
  | 'lost'
  | 'not_loaded'
  | 'offline'
  | 'blocked'
  | 'no_engine'
  | 'lockdown';

/** Why a link leads nowhere. */
export type DeadEnd =
  | 'unknown'
  | 'claimed'
  | 'expired'
  | 'settled'
  | 'cancelled'
  | 'invite_revoked'
  | 'invite_redeemed'
  | 'link_used'
  | 'handoff_used'
  | 'handoff_expired'
  | 'handoff_ended'
  | 'continued'
  | 'continuation_used'
  | 'continuation_expired'
  | 'crowded'
  | 'server';

/** What may be wrong with a phone number or a code, said beside the field. */
export type PhoneTrouble =
  | 'identifier_unrecognized'
  | 'test_number_required'
  | 'wrong_code'
  | 'code_expired'
  | 'resend_too_soon'
  | 'too_many_codes';

/** Why a request is being repeated. */
export type WaitReason = 'offline' | 'busy' | 'maintenance';

export type TitleAndText = { title: string; text: string };

export type CaptureWords = {
  asking: TitleAndText;
  /** Where the browser plays the picture only after a tap. */
  tap: TitleAndText;
  startCamera: string;
  switchCamera: string;
  preparing: TitleAndText;
  preparingCheck: string;
  /** Of the bar that shows how much of the check has loaded. */
  loadedLabel: string;
  lookStraight: string;
  holdStill: string;
  /** At most five words each. */
  steps: Record<LivenessStep, string>;
  /** At most five words each. */
  hints: Record<CoachHint, string>;
  /** How to manage a step that takes long. */
  stuck: Record<LivenessStep, string>;
  startAgain: string;
  /** For whom colours that change quickly are not good. */
  slowLight: string;
  challengeEnded: string;
  turned: string;
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
  /** On a computer, whose run goes on on a phone. */
  desktop: TitleAndText & {
    preparing: string;
    qrLabel: string;
    matchTerm: string;
    copy: string;
    copied: string;
    copyFailed: string;
    expired: TitleAndText;
    /** Three wrong numbers were typed on a phone. */
    ended: TitleAndText;
    newCode: string;
    opened: TitleAndText;
    following: { title: string; steps: Record<FlowStep, string> };
    keepOpen: string;
    useThisCamera: string;
  };
  /** On the phone that scanned the computer's code. */
  handoff: {
    title: string;
    text: (organiser: string) => string;
    label: string;
    confirm: string;
    /** After a wrong number; `triesLeft` is 1 or 2. */
    wrong: (triesLeft: number) => string;
    /** For whoever was sent the code by somebody else. */
    stranger: string;
  };
  /** In an app whose browser has no camera. */
  elsewhere: TitleAndText & {
    /** Where the app's own menu leads to the phone's browser. */
    menu: Record<PhoneSystem, string>;
    paste: Record<PhoneSystem, string>;
    open: string;
    copy: string;
    copied: string;
    copyFailed: string;
    linkLabel: string;
    keepOpen: string;
    tryCamera: string;
  };
  phone: {
    title: string;
    text: (organiser: string) => string;
    numberLabel: string;
    numberHint: string;
    /** `number` is masked. */
    lockedText: (number: string) => string;
    send: string;
    codeTitle: string;
    codeText: (number: string) => string;
    codeLabel: string;
    confirm: string;
    resend: string;
    resendIn: (seconds: number) => string;
    change: string;
    help: string;
    /** In a test session, in place of the hint and of the help. */
    testNumber: string;
    testCode: string;
    triesLeft: (count: number) => string;
    trouble: Record<PhoneTrouble, string>;
    /** In place of `too_many_codes`, where it is known when there will be another; `when` is "in 40 minutes". */
    tooManyUntil: (when: string) => string;
  };
  test: {
    title: string;
    text: string;
    camera: string;
    faceTitle: string;
    faces: Record<TestFace, string>;
    nameLabel: string;
    useName: string;
    reviewTitle: string;
    reviewText: string;
    decisions: Record<TestDecision, string>;
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
    closes: (seconds: number) => string;
  };
  closeView: string;
  /** Of the × in an embedded view. */
  dismiss: string;
  /** In place of a run that this page may not embed. `origin` is the embedding page's. */
  notEmbedded: TitleAndText & { open: string; owner: string; setting: (origin: string) => string };
  deadEnds: Record<DeadEnd, TitleAndText>;
  retryNow: string;
  /** `when` is "in 40 minutes". */
  retryWhen: (when: string) => string;
  /** Leads to the person's own page, from the consent and from the result. */
  ownData: string;
  opensNewTab: string;
};

/** Names that the test partition understands and the page offers as buttons. */
export const TEST_FACES = ['alice', 'bob', 'near:alice', 'spoof', 'blurred'] as const;
export type TestFace = (typeof TEST_FACES)[number];
