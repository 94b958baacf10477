/** The print queue of a kiosk. */
import { Type, type Static } from 'typebox';
import { BADGE_FAILURES, type BadgeFailure, MAX_BADGE_MM, MIN_BADGE_MM } from './badges.ts';
import { nullable } from './schemas.ts';
import { MAX_TOKEN_CHARS } from './text-bounds.ts';

const side = Type.Integer({ minimum: MIN_BADGE_MM, maximum: MAX_BADGE_MM });

export const KioskBadge = Type.Object({
  badge_id: Type.String(),
  template: Type.String(),
  width_mm: side,
  height_mm: side,
  values: Type.Object({
    name: nullable('On the ticket.'),
    kind: nullable('Of the ticket, such as a product.'),
    event: nullable(),
    order: nullable(),
  }),
});
export type KioskBadge = Static<typeof KioskBadge>;

/** `POST /kiosk/badges`: takes the next one that waits for this kiosk. It is not given out again. */
export const KioskBadgeResponse = Type.Object({
  badge: Type.Unsafe<KioskBadge | null>({ ...KioskBadge, type: ['object', 'null'] }),
});
export type KioskBadgeResponse = Static<typeof KioskBadgeResponse>;

/** `POST /kiosk/badges/end`: what became of a badge that was taken. */
export const KioskBadgeEnd = Type.Object({
  badge_id: Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS }),
  failure: Type.Optional(
    Type.Unsafe<BadgeFailure>({
      type: 'string',
      enum: [...BADGE_FAILURES],
      description: 'None if the printer or the browser’s dialog has it.',
    }),
  ),
});
export type KioskBadgeEnd = Static<typeof KioskBadgeEnd>;
