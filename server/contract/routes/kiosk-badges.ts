/** A kiosk's print queue: a file of its own, which the kiosk loads with its later part. */
import { Type } from 'typebox';
import { KioskBadgeEnd, KioskBadgeResponse } from '../kiosk-badges.ts';
import type { Routes } from './route.ts';

const post = { method: 'POST', bodyLimit: 8 * 1024 } as const;

export const kioskBadges = {
  take: {
    ...post,
    path: '/kiosk/badges',
    reply: KioskBadgeResponse,
  },
  end: {
    ...post,
    path: '/kiosk/badges/end',
    body: KioskBadgeEnd,
    reply: Type.Object({}),
  },
} as const satisfies Routes;
