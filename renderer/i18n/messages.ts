/** Names of the things that the person’s pages have messages for, out of the catalogues themselves. */
import type { HostedMessages } from '../../locales/types/hosted.ts';
import type { KioskMessages } from '../../locales/types/kiosk.ts';

/** What may be wrong with the view of the face, said before anything is judged. */
export type CoachHint = keyof HostedMessages['capture']['hints'];

/** Ways in which a camera can be missing. */
export type CameraTrouble = keyof HostedMessages['capture']['trouble'];

/** Why a link leads nowhere. */
export type DeadEnd = keyof HostedMessages['deadEnds'];

/** What may be wrong with a phone number or a code, said beside the field. */
export type PhoneTrouble = keyof HostedMessages['phone']['trouble'];

/** Why a request is being repeated. */
export type WaitReason = keyof HostedMessages['waiting'];

export type TitleAndText = { title: string; text: string };

/** Names that the test partition understands and the page offers as buttons. */
export const TEST_FACES = [
  'alice',
  'bob',
  'near:alice',
  'spoof',
  'blurred',
] as const satisfies readonly TestFace[];
export type TestFace = keyof HostedMessages['test']['faces'];

/** Why a kiosk can check nobody right now. Each has its own screen, which ends on its own. */
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
] as const satisfies readonly KioskTrouble[];
export type KioskTrouble = keyof KioskMessages['trouble'];

/** What keeps a kiosk’s camera from seeing one face well; shown large when it lasts. */
export type HintTrouble = keyof KioskMessages['hints'];

/** How long data is kept. @param duration in words, such as "3 years"; null when nothing is kept */
export const keptFor = (
  consent: Pick<HostedMessages['consent'], 'howLong' | 'nothingKept'>,
  duration: string | null,
): string => (duration === null ? consent.nothingKept : consent.howLong({ duration }));

type Values = { organiser: string };

/** The lines of a list in which some name the organiser. */
export const linesOf = (
  lines: readonly (string | ((values: Values) => string))[],
  values: Values,
): string[] => lines.map((line) => (typeof line === 'string' ? line : line(values)));
