import {
  KioskCommandRequest,
  KioskCreate,
  KioskList,
  KioskRecord,
  KioskUpdate,
  KioskWithCode,
} from '../../console/kiosks.ts';
import { Done, PageLight, WithReason } from '../../console/common.ts';
import type { ConsoleRoutes } from '../route.ts';

export const kiosks = {
  list: {
    method: 'GET',
    path: '/kiosks',
    role: 'staff',
    summary: 'List the kiosks of the company',
    reply: KioskList,
  },
  light: {
    method: 'GET',
    path: '/kiosks/:kiosk_id/light',
    role: 'staff',
    summary: 'Read whether the page’s light is usually seen on faces at a kiosk',
    reply: PageLight,
  },
  add: {
    method: 'POST',
    path: '/kiosks',
    role: 'staff',
    summary: 'Add a kiosk and get its pairing code',
    body: KioskCreate,
    reply: KioskWithCode,
  },
  renewCode: {
    method: 'POST',
    path: '/kiosks/:kiosk_id/code',
    role: 'staff',
    summary: 'Create a new pairing code',
    reply: KioskWithCode,
  },
  change: {
    method: 'PATCH',
    path: '/kiosks/:kiosk_id',
    role: 'staff',
    summary: 'Rename a kiosk or change its event',
    body: KioskUpdate,
    reply: KioskRecord,
  },
  revoke: {
    method: 'POST',
    path: '/kiosks/:kiosk_id/revoke',
    role: 'staff',
    summary: 'Revoke a kiosk for good',
    body: WithReason,
    reply: Done,
  },
  command: {
    method: 'POST',
    path: '/kiosks/:kiosk_id/command',
    role: 'staff',
    summary: 'Start a walk-up at a kiosk, or reset it to its first screen',
    body: KioskCommandRequest,
    reply: Done,
  },
} as const satisfies ConsoleRoutes;
