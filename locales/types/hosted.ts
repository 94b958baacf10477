// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type HostedMessages = {
  documentTitle: string;
  language: string;
  languageFailed: string;
  testMode: string;
  provider: string;
  loading: string;
  consent: {
    title: string;
    whyTerm: string;
    why: (values: { organiser: string | number }) => string;
    keptTerm: string;
    kept: string;
    howLongTerm: string;
    howLong: (values: { duration: string | number }) => string;
    nothingKept: string;
    accept: string;
    decline: string;
    more: string;
    details: readonly (string | ((values: { organiser: string | number }) => string))[];
  };
  takes: string;
  leave: {
    title: string;
    text: (values: { organiser: string | number }) => string;
    confirm: string;
    back: string;
  };
  phone: {
    title: string;
    text: (values: { organiser: string | number }) => string;
    numberLabel: string;
    numberHint: string;
    lockedText: (values: { number: string | number }) => string;
    readOut: {
      text: (values: { organiser: string | number }) => string;
      lockedText: (values: { number: string | number }) => string;
      codeText: (values: { number: string | number }) => string;
    };
    send: string;
    codeTitle: string;
    codeText: (values: { number: string | number }) => string;
    codeLabel: string;
    confirm: string;
    resend: string;
    resendIn: (values: { seconds: string | number }) => string;
    change: string;
    help: string;
    testNumber: string;
    testCode: string;
    triesLeft: (values: { count: number }) => string;
    trouble: {
      identifier_unrecognized: string;
      test_number_required: string;
      wrong_code: string;
      code_expired: string;
      resend_too_soon: string;
      too_many_codes: string;
    };
    tooManyUntil: (values: { when: string | number }) => string;
  };
  test: {
    title: string;
    text: string;
    camera: string;
    faceTitle: string;
    faces: {
      alice: string;
      bob: string;
      'near:alice': string;
      spoof: string;
      blurred: string;
    };
    nameLabel: string;
    useName: string;
    reviewTitle: string;
    reviewText: string;
    decisions: {
      approve: string;
      deny: string;
      approve_flagged: string;
    };
  };
  capture: {
    asking: TitleAndText;
    slow: {
      asking: string;
      preparing: string;
    };
    noPicture: TitleAndText;
    otherDevice: string;
    tap: TitleAndText;
    startCamera: string;
    switchCamera: string;
    preparing: {
      title: string;
    };
    preparingCheck: string;
    loadedLabel: string;
    lookStraight: string;
    holdStill: string;
    lit: string;
    steps: {
      turn_left: string;
      turn_right: string;
      look_up: string;
      look_up_smile: string;
      blink: string;
      smile: string;
      open_mouth: string;
      move_closer: string;
    };
    hints: {
      no_face: string;
      several_faces: string;
      face_covered: string;
      covered: string;
      too_dark: string;
      too_bright: string;
      backlit: string;
      too_far: string;
      too_close: string;
      off_centre: string;
      look_straight: string;
      hold_still: string;
      not_so_far: string;
      more: string;
      other_side: string;
      turned: string;
    };
    stuck: {
      turn_left: string;
      turn_right: string;
      look_up: string;
      blink: string;
      smile: string;
      open_mouth: string;
      move_closer: string;
    };
    startAgain: string;
    slowLight: string;
    reconnecting: TitleAndText;
    serverCoached: string;
    challengeEnded: string;
    turned: string;
    pictureTurned: string;
    pictureMirrored: string;
    cameraChanged: string;
    checking: TitleAndText;
    stop: string;
    paused: TitleAndText;
    takenOver: TitleAndText;
    continueHere: string;
    resume: string;
    progress: (values: { number: string | number; total: string | number }) => string;
    previewLabel: string;
    trouble: {
      denied: TitleAndText;
      framed: TitleAndText;
      forbidden: TitleAndText;
      absent: TitleAndText;
      in_use: TitleAndText;
      unsupported: TitleAndText;
      lost: TitleAndText;
      offline: TitleAndText;
      blocked: TitleAndText;
      not_loaded: TitleAndText;
    };
    allowCamera: {
      ios_safari: string;
      ios_other: string;
      android_chrome: string;
      firefox: string;
      desktop_chrome: string;
      desktop_safari: string;
      other: string;
    };
    tryAgain: string;
  };
  checking: TitleAndText;
  waiting: {
    offline: TitleAndText;
    portal: TitleAndText;
    busy: TitleAndText;
    maintenance: TitleAndText;
  };
  retry: {
    title: string;
    again: string;
    tips: {
      light: string;
      glare: string;
      distance: string;
      alone: string;
    };
    triesLeft: (values: { count: number }) => string;
    interrupted: string;
  };
  findings: {
    no_face: string;
    several_faces: string;
    too_dark: string;
    too_bright: string;
    blurred: string;
    too_far: string;
    step_missed: string;
    not_one_person: string;
    too_slow: string;
    try_again: string;
  };
  result: {
    passed: TitleAndText;
    already: {
      title: string;
      text: (values: { organiser: string | number }) => string;
    };
    pending: {
      title: string;
      text: (values: { organiser: string | number }) => string;
    };
    denied: {
      title: string;
      text: (values: { organiser: string | number }) => string;
    };
    declined: {
      title: string;
      text: (values: { organiser: string | number }) => string;
    };
    back: (values: { site: string | number }) => string;
    returning: (values: { seconds: string | number }) => string;
    stay: string;
    done: string;
    onComputer: string;
    close: string;
    closes: (values: { seconds: string | number }) => string;
  };
  closeView: string;
  dismiss: string;
  openCheck: string;
  deadEnds: {
    unknown: TitleAndText;
    claimed: TitleAndText;
    moved: TitleAndText;
    expired: TitleAndText;
    settled: TitleAndText;
    cancelled: TitleAndText;
    invite_revoked: TitleAndText;
    invite_redeemed: TitleAndText;
    link_used: TitleAndText;
    handoff_used: TitleAndText;
    handoff_expired: TitleAndText;
    handoff_ended: TitleAndText;
    continued: TitleAndText;
    continuation_used: TitleAndText;
    continuation_expired: TitleAndText;
    crowded: TitleAndText;
    kiosk_required: TitleAndText;
    server: TitleAndText;
  };
  continueHere: string;
  retryNow: string;
  retryWhen: (values: { when: string | number }) => string;
  ownData: string;
  ownDataAsk: (values: { organiser: string | number }) => string;
  ownDataContact: (values: { organiser: string | number; contact: string | number }) => string;
  opensNewTab: string;
};
