import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../../services/deps.ts';
import {
  addKiosk,
  changeKiosk,
  command,
  readKiosks,
  renewCode,
  revoke,
} from '../../services/venue/kiosks.ts';
import { kiosks } from '../../contract/routes/console/kiosks.ts';
import { done, register } from './register.ts';

/** Kiosks, for staff at the door. */
export function kioskConsoleRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'randomInt' | 'baseUrl'>,
): void {
  register(app, deps, kiosks.list, async ({ company }) => ({ items: await readKiosks(deps, company.id) }));
  register(app, deps, kiosks.add, ({ company, body, actor }) => addKiosk(deps, company.id, body, actor));
  register(app, deps, kiosks.renewCode, ({ company, params: { kiosk_id: id }, actor }) =>
    renewCode(deps, company.id, id, actor),
  );
  register(app, deps, kiosks.change, ({ company, params: { kiosk_id: id }, body, actor }) =>
    changeKiosk(deps, company.id, id, body, actor),
  );
  register(app, deps, kiosks.revoke, ({ company, params: { kiosk_id: id }, body: { reason }, actor }) =>
    done(revoke(deps, company.id, id, { reason, actor })),
  );
  register(app, deps, kiosks.command, ({ company, params: { kiosk_id: id }, body: { kind }, actor }) =>
    done(command(deps, company.id, id, { kind, actor })),
  );
}
