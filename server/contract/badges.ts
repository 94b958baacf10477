/** Badges and wristbands: what a template may have, and the words of the print queue. Without schemas, for pages. */

/** Sides of the paper: from a narrow wristband to A4. */
export const MIN_BADGE_MM = 10;
export const MAX_BADGE_MM = 300;
/** A common size of badges for a holder. */
export const USUAL_BADGE_SIZE = { badgeWidthMm: 90, badgeHeightMm: 55 } as const;
export const MAX_BADGE_CHARS = 1_000;

export const BADGE_FIELDS = ['name', 'kind', 'event', 'order'] as const;
export type BadgeValues = Record<(typeof BADGE_FIELDS)[number], string | null>;

/**
 * A few elements without attributes, so that no template can load, run or imitate anything. `{` and `<` have no other use.
 */
export const BADGE_TEMPLATE =
  /^(?:[^<{]|<\/?(?:h1|h2|p|strong|em|small)>|<(?:br|hr)>|\{(?:name|kind|event|order)\})+$/;

/**
 * `taken`: a kiosk has it and has not answered, so nobody knows whether it was printed. `sent`: the printer or the browser's
 * dialog has it.
 */
export const BADGE_STATES = ['waiting', 'taken', 'sent', 'failed'] as const;
export type BadgeState = (typeof BADGE_STATES)[number];
export const BADGE_FAILURES = ['no_printer', 'failed'] as const;
export type BadgeFailure = (typeof BADGE_FAILURES)[number];
