/** What the kiosk says beside the words it shares with the hosted page (`Messages`). Read from two metres: short. */
import type { CoachHint, TitleAndText } from '../messages.ts';

/** Why nobody can be checked right now. Each has its own screen, which ends by itself. */
export const KIOSK_TROUBLES = [
  'offline',
  'maintenance',
  'no_event',
  'not_started',
  'over',
  'camera_refused',
  'camera_missing',
  'camera_busy',
  'camera_lost',
  'not_loaded',
  'unsupported',
] as const;
export type KioskTrouble = (typeof KIOSK_TROUBLES)[number];

/** What keeps the camera from seeing one face well; said large when it lasts. */
export type HintTrouble = Exclude<CoachHint, 'off_centre' | 'look_straight' | 'hold_still'>;

export type KioskWords = {
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
  wait: TitleAndText;
  stillThere: { title: string; text: (seconds: number) => string; stay: string };
  consent: {
    eraseTerm: string;
    erase: (organiser: string) => string;
    insteadTerm: string;
    instead: string;
    askStaff: string;
  };
  askStaff: { title: string; text: string; end: string };
  scan: TitleAndText & { label: string };
  /** A code that was read or a start that did not work. */
  notOurs: TitleAndText;
  notStarted: TitleAndText;
  trouble: Record<KioskTrouble, TitleAndText>;
  /** When an event begins; `time` is already in words. */
  startsAt: (time: string) => string;
  hints: Record<HintTrouble, TitleAndText>;
  stillTrying: string;
  result: Record<'passed' | 'pending' | 'denied' | 'declined', TitleAndText>;
  next: (seconds: number) => string;
  keys: { erase: string; label: string };
  pairing: TitleAndText & {
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
    pin: (name: string) => string;
    pinLabel: string;
    checking: string;
    wrong_pin: string;
    locked_out: (minutes: number) => string;
    busy: string;
    offline: string;
  };
  menu: {
    title: (kiosk: string) => string;
    greeting: (name: string) => string;
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
    unnamed: (number: number) => string;
    preview: string;
    use: string;
    starting: string;
    good: (width: number, height: number) => string;
    dark: string;
    covered: string;
    bright: string;
    failed: string;
    none: string;
  };
};
