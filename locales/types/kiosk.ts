// Written by `npm run locales` from locales/en. Do not edit.
export type KioskMessages = {
  documentTitle: string;
  touchToStart: string;
  haveCode: string;
  chooseLanguage: string;
  staff: string;
  readAloud: string;
  headphones: string;
  calm: string;
  back: string;
  done: string;
  wait: {
    title: string;
    text: string;
  };
  stillThere: {
    title: string;
    text: (values: { seconds: string | number }) => string;
    stay: string;
  };
  consent: {
    eraseTerm: string;
    erase: (values: { organiser: string | number }) => string;
    insteadTerm: string;
    instead: string;
    askStaff: string;
  };
  askStaff: {
    title: string;
    text: string;
    end: string;
  };
  scan: {
    title: string;
    text: string;
    label: string;
  };
  notOurs: {
    title: string;
    text: string;
  };
  notStarted: {
    title: string;
    text: string;
  };
  trouble: {
    offline: {
      title: string;
      text: string;
    };
    maintenance: {
      title: string;
      text: string;
    };
    no_event: {
      title: string;
      text: string;
    };
    not_started: {
      title: string;
      text: string;
    };
    over: {
      title: string;
      text: string;
    };
    camera_refused: {
      title: string;
      text: string;
    };
    camera_missing: {
      title: string;
      text: string;
    };
    camera_busy: {
      title: string;
      text: string;
    };
    camera_lost: {
      title: string;
      text: string;
    };
    not_loaded: {
      title: string;
      text: string;
    };
  };
  startsAt: (values: { time: string | number }) => string;
  hints: {
    no_face: {
      title: string;
      text: string;
    };
    several_faces: {
      title: string;
      text: string;
    };
    covered: {
      title: string;
      text: string;
    };
    too_dark: {
      title: string;
      text: string;
    };
    too_bright: {
      title: string;
      text: string;
    };
    backlit: {
      title: string;
      text: string;
    };
    too_far: {
      title: string;
      text: string;
    };
    too_close: {
      title: string;
      text: string;
    };
  };
  stillTrying: string;
  result: {
    passed: {
      title: string;
      text: string;
    };
    already: {
      title: string;
      text: string;
    };
    pending: {
      title: string;
      text: string;
    };
    denied: {
      title: string;
      text: string;
    };
    declined: {
      title: string;
      text: string;
    };
  };
  next: (values: { seconds: string | number }) => string;
  keys: {
    erase: string;
    label: string;
  };
  pairing: {
    title: string;
    text: string;
    label: string;
    pair: string;
    revoked: string;
    invalid_pairing_code: string;
    too_many_pairings: string;
    offline: string;
  };
  unlock: {
    title: string;
    text: string;
    nobody: string;
    pin: (values: { name: string | number }) => string;
    pinLabel: string;
    checking: string;
    wrong_pin: string;
    locked_out: (values: { minutes: string | number }) => string;
    busy: string;
    offline: string;
  };
  menu: {
    title: (values: { kiosk: string | number }) => string;
    greeting: (values: { name: string | number }) => string;
    camera: string;
    reload: string;
    leave: string;
    leaving: string;
    leaveFailed: string;
    notDesktop: string;
    unpair: string;
    unpairSure: string;
    unpairFailed: string;
  };
  camera: {
    title: string;
    text: string;
    pick: string;
    unnamed: (values: { number: string | number }) => string;
    preview: string;
    use: string;
    starting: string;
    good: (values: { width: string | number; height: string | number }) => string;
    dark: string;
    covered: string;
    bright: string;
    failed: string;
    none: string;
  };
};
