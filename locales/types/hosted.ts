// Written by `npm run locales` from locales/en. Do not edit.
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
  leave: {
    title: string;
    text: (values: { organiser: string | number }) => string;
    confirm: string;
    back: string;
  };
  desktop: {
    title: string;
    text: string;
    qrLabel: string;
    matchTerm: string;
    copy: string;
    copied: string;
    copyFailed: string;
    expired: {
      title: string;
      text: string;
    };
    newCode: string;
    ended: {
      title: string;
      text: string;
    };
    opened: {
      title: string;
      text: string;
    };
    following: {
      title: string;
      steps: {
        consent: string;
        phone: string;
        capture: string;
        result: string;
      };
    };
    keepOpen: string;
    useThisCamera: string;
  };
  handoff: {
    title: string;
    text: (values: { organiser: string | number }) => string;
    label: string;
    confirm: string;
    wrong: (values: { triesLeft: number }) => string;
    stranger: string;
  };
  elsewhere: {
    title: string;
    text: string;
    menu: {
      ios: string;
      android: string;
      other: string;
    };
    paste: {
      ios: string;
      android: string;
      other: string;
    };
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
    text: (values: { organiser: string | number }) => string;
    numberLabel: string;
    numberHint: string;
    lockedText: (values: { number: string | number }) => string;
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
    asking: {
      title: string;
      text: string;
    };
    tap: {
      title: string;
      text: string;
    };
    startCamera: string;
    switchCamera: string;
    preparing: {
      title: string;
    };
    preparingCheck: string;
    loadedLabel: string;
    lookStraight: string;
    holdStill: string;
    steps: {
      turn_left: string;
      turn_right: string;
      look_up: string;
      blink: string;
      smile: string;
      open_mouth: string;
      move_closer: string;
    };
    hints: {
      no_face: string;
      several_faces: string;
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
    reconnecting: {
      title: string;
      text: string;
    };
    serverCoached: string;
    challengeEnded: string;
    turned: string;
    checking: {
      title: string;
      text: string;
    };
    stop: string;
    paused: {
      title: string;
      text: string;
    };
    takenOver: {
      title: string;
      text: string;
    };
    continueHere: string;
    resume: string;
    progress: (values: { done: string | number; total: string | number }) => string;
    previewLabel: string;
    trouble: {
      denied: {
        title: string;
        text: string;
      };
      absent: {
        title: string;
        text: string;
      };
      in_use: {
        title: string;
        text: string;
      };
      unsupported: {
        title: string;
        text: string;
      };
      lost: {
        title: string;
        text: string;
      };
      offline: {
        title: string;
        text: string;
      };
      blocked: {
        title: string;
        text: string;
      };
      not_loaded: {
        title: string;
        text: string;
      };
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
  checking: {
    title: string;
    text: string;
  };
  waiting: {
    offline: {
      title: string;
      text: string;
    };
    busy: {
      title: string;
      text: string;
    };
    maintenance: {
      title: string;
      text: string;
    };
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
    passed: {
      title: string;
      text: string;
    };
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
    continue: string;
    returning: (values: { seconds: string | number }) => string;
    stay: string;
    close: string;
    closes: (values: { seconds: string | number }) => string;
  };
  closeView: string;
  dismiss: string;
  notEmbedded: {
    title: string;
    text: string;
    open: string;
    owner: string;
    setting: (values: { origin: string | number }) => string;
  };
  deadEnds: {
    unknown: {
      title: string;
      text: string;
    };
    claimed: {
      title: string;
      text: string;
    };
    expired: {
      title: string;
      text: string;
    };
    settled: {
      title: string;
      text: string;
    };
    cancelled: {
      title: string;
      text: string;
    };
    invite_revoked: {
      title: string;
      text: string;
    };
    invite_redeemed: {
      title: string;
      text: string;
    };
    link_used: {
      title: string;
      text: string;
    };
    handoff_used: {
      title: string;
      text: string;
    };
    handoff_expired: {
      title: string;
      text: string;
    };
    handoff_ended: {
      title: string;
      text: string;
    };
    continued: {
      title: string;
      text: string;
    };
    continuation_used: {
      title: string;
      text: string;
    };
    continuation_expired: {
      title: string;
      text: string;
    };
    crowded: {
      title: string;
      text: string;
    };
    kiosk_required: {
      title: string;
      text: string;
    };
    server: {
      title: string;
      text: string;
    };
  };
  retryNow: string;
  retryWhen: (values: { when: string | number }) => string;
  ownData: string;
  opensNewTab: string;
};
