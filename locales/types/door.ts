// Written by `npm run locales` from locales/en. Do not edit.
export type DoorMessages = {
  text: string;
  event: string;
  noEvent: string;
  walkUp: string;
  walkUpGuest: string;
  started: (values: { name: string | number }) => string;
  numbers: {
    label: string;
    lastHour: (values: { count: string | number }) => string;
  };
  latest: string;
  nobodyTitle: string;
  nobodyText: string;
  alreadyAt: (values: { time: string | number }) => string;
  alreadyAtKiosk: (values: { time: string | number; kiosk: string | number }) => string;
  againAt: (values: { time: string | number }) => string;
  againAtKiosk: (values: { time: string | number; kiosk: string | number }) => string;
  underWay: {
    title: string;
    none: string;
    steps: {
      consent: string;
      phone: string;
      capture: string;
      checking: string;
      ask_staff: string;
    };
    attempts: (values: { left: number }) => string;
    release: string;
    releaseTitle: string;
    releaseText: string;
    cancel: string;
    keep: string;
    cancelTitle: string;
    cancelText: string;
    actionsOf: (values: { where: string | number }) => string;
  };
  actions: {
    label: (values: { guest: string | number }) => string;
    let_in: string;
    let_inTitle: (values: { guest: string | number }) => string;
    let_inText: string;
    review: string;
    reviewTitle: (values: { guest: string | number }) => string;
    reviewText: string;
    again: string;
    againTitle: (values: { guest: string | number }) => string;
    againText: string;
    readyTitle: string;
    readyText: string;
    qr: string;
    link: string;
    openCase: string;
    asked: string;
  };
  codes: {
    title: string;
    none: string;
    sent: string;
    until: (values: { time: string | number }) => string;
  };
  kiosks: {
    title: string;
    none: string;
    pair: string;
    states: {
      waiting: string;
      code_over: string;
      online: string;
      away: string;
    };
    seen: (values: { time: string | number }) => string;
    screens: {
      attract: string;
      language: string;
      result: string;
      scan: string;
      trouble: string;
      staff: string;
    };
    cameras: {
      unknown: string;
      ready: string;
      refused: string;
      missing: string;
      lost: string;
      silent: string;
      turned: string;
      mirrored: string;
      covered: string;
      dark: string;
    };
    noEvent: string;
    menu: (values: { name: string | number }) => string;
    reset: string;
    resetTitle: (values: { name: string | number }) => string;
    resetText: string;
    edit: string;
    editTitle: (values: { name: string | number }) => string;
    newCode: string;
    revoke: string;
    revokeTitle: (values: { name: string | number }) => string;
    revokeText: string;
    name: string;
    nameHelp: string;
    codeTitle: (values: { name: string | number }) => string;
    codeText: string;
    address: string;
    code: string;
    done: string;
    silent: (values: { seconds: string | number }) => string;
    what: string;
  };
  light: {
    titles: {
      kiosk: string;
      verification: string;
    };
    seen: (values: { seen: number; known: number }) => string;
    unknown: (values: { known: number; needed: number }) => string;
    usual: string;
    unusual: string;
    later: string;
  };
  number: (values: { number: string | number }) => string;
  asksStaff: string;
  freeKiosks: (values: { count: number }) => string;
  soundOn: string;
  soundOff: string;
  capTitle: (values: { limit: number }) => string;
  capText: (values: { time: string | number }) => string;
  quick: {
    label: string;
    back: string;
    noCamera: string;
    papers: string;
    known: string;
    other: string;
  };
};
