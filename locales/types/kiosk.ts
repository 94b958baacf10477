// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type KioskMessages = {
  documentTitle: string;
  touchToStart: string;
  haveCode: string;
  staff: string;
  readAloud: string;
  headphones: string;
  calm: string;
  back: string;
  done: string;
  wait: TitleAndText;
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
    notOurs: string;
    qrOnly: string;
    slow: string;
  };
  notOurs: TitleAndText;
  notStarted: TitleAndText;
  trouble: {
    offline: TitleAndText;
    portal: TitleAndText;
    maintenance: TitleAndText;
    no_event: TitleAndText;
    not_started: TitleAndText;
    over: TitleAndText;
    camera_refused: TitleAndText;
    camera_missing: TitleAndText;
    camera_busy: TitleAndText;
    camera_lost: TitleAndText;
    camera_silent: TitleAndText;
    not_loaded: TitleAndText;
  };
  startsAt: (values: { time: string | number }) => string;
  hints: {
    no_face: TitleAndText;
    several_faces: TitleAndText;
    face_covered: TitleAndText;
    covered: TitleAndText;
    turned: TitleAndText;
    too_dark: TitleAndText;
    too_bright: TitleAndText;
    backlit: TitleAndText;
    too_far: TitleAndText;
    too_close: TitleAndText;
  };
  stillTrying: string;
  result: {
    passed: {
      text: string;
      title: string;
    };
    already: {
      text: string;
    };
    pending: {
      text: string;
    };
    denied: {
      text: string;
    };
    declined: {
      text: string;
    };
  };
  next: (values: { seconds: string | number }) => string;
  keys: {
    erase: string;
    label: string;
  };
  otherTab: {
    title: string;
    text: string;
    take: string;
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
    nobody: string;
    pinLabel: string;
    checking: string;
    wrong_pin: string;
    locked_out: (values: { minutes: string | number }) => string;
    busy: string;
    offline: string;
    who: string;
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
    letIn: string;
    done: string;
  };
  event: {
    title: string;
    none: string;
    failed: string;
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
    refused: string;
    forbidden: string;
    busy: string;
    silent: string;
    turned: string;
    none: string;
  };
  guestNumber: (values: { number: string | number }) => string;
  letIn: {
    title: string;
    guest: (values: { number: string | number; time: string | number }) => string;
    why: (values: { number: string | number }) => string;
    reasons: {
      back: string;
      noCamera: string;
      papers: string;
      known: string;
    };
    failed: string;
  };
};
