// Written by `npm run locales` from locales/en. Do not edit.
export type SessionsMessages = {
  text: string;
  find: string;
  findHelp: string;
  status: string;
  any: string;
  group: string;
  verification: string;
  generation: string;
  from: string;
  to: string;
  who: string;
  nobody: string;
  started: string;
  ended: string;
  emptyTitle: string;
  emptyText: string;
  noneTitle: string;
  noneText: string;
  sessionId: string;
  passId: string;
  externalId: string;
  identity: {
    email: string;
    phone: string;
    test: string;
  };
  otherGroups: string;
  device: string;
  capture: string;
  attemptsLeft: string;
  expires: string;
  consent: string;
  consentGiven: (values: { version: string | number; language: string | number }) => string;
  consentText: string;
  consentGaps: {
    organiser: string;
    duration: string;
    date: string;
  };
  reasons: string;
  foundIn: string;
  score: string;
  bands: {
    low: string;
    medium: string;
    high: string;
  };
  reads: string;
  readTimes: (values: { count: number }) => string;
  earlierPass: string;
  openPerson: string;
  openCase: string;
  timelineHeading: string;
  actions: {
    cancel: string;
    reopen: string;
    lock: string;
    unlock: string;
    approve: string;
    deny: string;
  };
  keepOpen: string;
  together: {
    select: (values: { who: string | number }) => string;
    all: string;
    selected: (values: { count: number }) => string;
    clear: string;
    cancel: (values: { count: number }) => string;
    keepOpen: (values: { count: number }) => string;
    text: string;
    progress: string;
  };
  ask: {
    cancel: {
      title: (values: { who: string | number }) => string;
      text: string;
    };
    reopen: {
      title: (values: { who: string | number }) => string;
      text: string;
    };
    lock: {
      title: (values: { who: string | number }) => string;
      text: string;
    };
    unlock: {
      title: (values: { who: string | number }) => string;
      text: string;
    };
    approve: {
      title: (values: { who: string | number }) => string;
      text: string;
    };
    deny: {
      title: (values: { who: string | number }) => string;
      text: string;
    };
  };
  timeline: {
    created: string;
    opened: string;
    consent: string;
    handoff_offered: string;
    handoff_confirmed: string;
    code_sent: string;
    phone_proven: string;
    attempt_passed: string;
    attempt_failed: string;
    review_opened: string;
    review_decided: string;
    settled: string;
    skipped: string;
    declined: string;
    cancelled: string;
    reopened: string;
    expired: string;
    read: string;
    webhook: string;
    locked: string;
    unlocked: string;
    overridden: string;
    disconnected: string;
  };
  by: (values: { name: string | number }) => string;
  cli: string;
  key: string;
  openCall: string;
  attempts: (values: { count: number }) => string;
  decisions: {
    approve: string;
    deny: string;
  };
  found: {
    frames_missing: string;
    no_face: string;
    several_faces: string;
    too_dark: string;
    too_bright: string;
    low_contrast: string;
    blurred: string;
    face_too_small: string;
    too_far: string;
    no_neutral: string;
    step_missed: string;
    duplicate_frames: string;
    replayed_frames: string;
    too_slow: string;
    looks_like_a_picture: string;
    nose_did_not_turn: string;
    motion_unlike_a_head: string;
    surroundings_moved_along: string;
    fine_regular_pattern: string;
    straight_rim: string;
    eyes_or_mouth_did_not_follow: string;
    light_of_another_time: string;
    page_light_unseen: string;
    try_again: string;
  };
  scoreParts: {
    spoof: string;
    quality: string;
    nearness: string;
    desktop: string;
    unsigned: string;
    camera: string;
  };
  scoreHelp: string;
  points: (values: { count: string | number }) => string;
  export: string;
  event: string;
};
