import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Done } from '../../contract/console/common.ts';
import {
  KioskCommandRequest,
  KioskCreate,
  KioskList,
  KioskRecord,
  KioskRevoke,
  KioskUpdate,
  KioskWithCode,
} from '../../contract/console/kiosks.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  addKiosk,
  changeKiosk,
  command,
  readKiosks,
  renewCode,
  revoke,
} from '../../services/venue/kiosks.ts';
import { scopedRoute } from './route.ts';

/** Kiosks, for staff: whoever stands beside one has to be able to help it. */
export function kioskConsoleRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const params = { kiosk_id: Type.String() };
  const role = 'staff';

  scopedRoute(app, deps, {
    method: 'GET',
    url: '/kiosks',
    role,
    summary: 'All kiosks of the company',
    response: KioskList,
    handler: async ({ company }) => ({ items: await readKiosks(deps, company.id) }),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/kiosks',
    role,
    summary: 'Add a kiosk; the code pairs a device with it',
    body: KioskCreate,
    response: KioskWithCode,
    handler: ({ company, body, actor }) => addKiosk(deps, company.id, body, actor),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/kiosks/:kiosk_id/code',
    role,
    summary: 'Another pairing code',
    params,
    response: KioskWithCode,
    handler: ({ company, params: { kiosk_id: id }, actor }) => renewCode(deps, company.id, id, actor),
  });
  scopedRoute(app, deps, {
    method: 'PATCH',
    url: '/kiosks/:kiosk_id',
    role,
    summary: 'Rename a kiosk or give it another event',
    params,
    body: KioskUpdate,
    response: KioskRecord,
    handler: ({ company, params: { kiosk_id: id }, body, actor }) =>
      changeKiosk(deps, company.id, id, body, actor),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/kiosks/:kiosk_id/revoke',
    role,
    summary: 'Keep the device out, at once and for good',
    params,
    body: KioskRevoke,
    response: Done,
    handler: async ({ company, params: { kiosk_id: id }, body: { reason }, actor }) => {
      await revoke(deps, company.id, id, { reason, actor });
      return { ok: true } as const;
    },
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/kiosks/:kiosk_id/command',
    role,
    summary: 'Begin a walk-up at a kiosk, or take it back to its first screen',
    params,
    body: KioskCommandRequest,
    response: Done,
    handler: async ({ company, params: { kiosk_id: id }, body: { kind }, actor }) => {
      await command(deps, company.id, id, { kind, actor });
      return { ok: true } as const;
    },
  });
}
