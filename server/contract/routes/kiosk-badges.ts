/** A kiosk's print queue: a file of its own, which the kiosk loads with its later part. */
import { Type } from 'typebox';
import { KioskBadgeEnd, KioskBadgeResponse } from '../kiosk-badges.ts';
import type { Routes } from './route.ts';

const bodyLimit = 8 * 1024;

export const kioskBadges = {
  take: {
    method: 'POST',
    path: '/kiosk/badges',
    reply: KioskBadgeResponse,
    bodyLimit,
  },
  end: {
    method: 'POST',
    path: '/kiosk/badges/end',
    body: KioskBadgeEnd,
    reply: Type.Object({}),
    bodyLimit,
  },
} as const satisfies Routes;
