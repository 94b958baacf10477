/** Names of the items that guests' pages have messages for, derived from the catalogues. */
import type { HostedMessages } from '../../locales/types/hosted.ts';
import type { KioskMessages } from '../../locales/types/kiosk.ts';

/** Problems with the picture of the face, shown before any judgement. */
export type CoachHint = keyof HostedMessages['capture']['hints'];

/** Reasons for a missing camera. */
export type CameraTrouble = keyof HostedMessages['capture']['trouble'] | 'portal';

/** Reasons for a dead link. */
export type DeadEnd = keyof HostedMessages['deadEnds'];

/** Errors in a phone number or a code, shown next to the field. */
export type PhoneTrouble = keyof HostedMessages['phone']['trouble'];

/** Why a request is being repeated. */
export type WaitReason = keyof HostedMessages['waiting'];

/** Why a kiosk cannot check anyone right now. Each has its own screen, which ends automatically. */
export type KioskTrouble = keyof KioskMessages['trouble'];

/** Why a kiosk’s camera does not see one face well; shown large if it lasts. */
export type HintTrouble = keyof KioskMessages['hints'];

/**
 * How long data is kept.
 * @param duration in words, such as "3 years"; null if nothing is kept
 */
export const keptFor = (
  consent: Pick<HostedMessages['consent'], 'howLong' | 'nothingKept'>,
  duration: string | null,
): string => (duration === null ? consent.nothingKept : consent.howLong({ duration }));

type Values = { organiser: string };

/** The lines of a list, some of which name the organiser. */
export const linesOf = (
  lines: readonly (string | ((values: Values) => string))[],
  values: Values,
): string[] => lines.map((line) => (typeof line === 'string' ? line : line(values)));
