/** The kiosk's routes on the public listener; the device's token in `X-Kiosk-Token` identifies the caller. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ANY_STAFF, KIOSK_TOKEN_HEADER } from '../../contract/kiosk.ts';
import { isPinSet } from '../../services/operators/quick-pin.ts';
import type { ServiceDeps } from '../deps.ts';
import { placeOf } from '../../domain/address.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { countOrWait, limited } from '../../services/rate-limits/rate-limits.ts';
import { noteHeartbeat, readKioskConfig, readLogo } from '../../services/venue/kiosk-config.ts';
import { watchSilence } from '../../services/venue/kiosk-silence.ts';
import { chooseEvent, pairDevice, unlockKiosk, unpairDevice } from '../../services/venue/kiosk-pairing.ts';
import { letInAtKiosk } from '../../services/venue/kiosk-let-in.ts';
import { openScanned, startWalkUp } from '../../services/venue/kiosk-runs.ts';
import { endBadgeAtKiosk, takeBadgeAtKiosk } from '../../services/tickets/badges.ts';
import { admitAtKiosk, scanAtKiosk } from '../../services/tickets/kiosk-tickets.ts';
import { authoriseKiosk } from '../../services/venue/kiosk-tokens.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { replyWithError } from '../../refusals/api.ts';
import { refuseDuringMaintenance } from '../maintenance.ts';
import { FOREVER, neverStore, tokenIn } from '../headers.ts';
import { kiosk } from '../../contract/routes/kiosk.ts';
import { kioskBadges } from '../../contract/routes/kiosk-badges.ts';
import { register } from '../register.ts';
import { createOrderStreams } from './orders.ts';

/** Codes tried from one address. With 39 bits and ten minutes, guessing is hopeless anyway. */
const PAIRINGS = { limit: 10, windowMs: 60_000 };
/** Limits the rows that attempts from many addresses leave in the database. */
const PAIRINGS_ALTOGETHER = limited('pairings-altogether', 'all', { limit: 120, windowMs: 60_000 });

export async function kioskRoutes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  await scope.register(async (app) => {
    prepare(app);
    register(app, kiosk.pair, async (request) => {
      const ofAddress = limited('pairings', placeOf(request.ip), PAIRINGS);
      const waitMs = await countOrWait(deps.db, [PAIRINGS_ALTOGETHER, ofAddress], deps.clock.now());
      if (waitMs !== null) throw new Refusal('too_many_pairings', { retryAfterS: waitMs / 1_000 });
      return pairDevice(deps, request.body.code, request.body.public_key);
    });
  });

  await scope.register(async (app) => {
    prepare(app);
    requireKiosk(app);
    register(app, kiosk.config, async (request) => readKioskConfig(deps, await kioskOf(request)));
    const silence = watchSilence(deps.db);
    app.addHook('onClose', () => silence.close());
    register(app, kiosk.heartbeat, async (request) => {
      const device = await kioskOf(request);
      silence.heard(device);
      return noteHeartbeat(deps, device, request.body);
    });
    const streamOrders = createOrderStreams(deps);
    register(app, kiosk.events, (request, reply) => streamOrders(request, reply, tokenOf(request)));
    register(app, kiosk.staff, async (request) => {
      const { companyId } = await kioskOf(request);
      return {
        items: (await isPinSet(deps.db, companyId)) ? [{ operator_id: ANY_STAFF, name: 'Staff' }] : [],
      };
    });
    register(app, kiosk.unlock, async (request) => unlockKiosk(deps, await kioskOf(request), request.body));
    register(app, kiosk.chooseEvent, async (request) =>
      chooseEvent(deps, await kioskOf(request), request.body),
    );
    register(app, kiosk.letIn, async (request) => letInAtKiosk(deps, await kioskOf(request), request.body));
    register(app, kiosk.unpair, async (request) => unpairDevice(deps, await kioskOf(request), request.body));
  });

  // Staff can work at a kiosk while checks are unavailable.
  await scope.register(async (app) => {
    prepare(app);
    refuseDuringMaintenance(app, deps.maintenance);
    requireKiosk(app);
    register(app, kiosk.walkUp, async (request) => startWalkUp(deps, await kioskOf(request)));
    register(app, kiosk.scan, async (request) => {
      const device = await kioskOf(request);
      return openScanned(deps, device, { text: request.body.text, ownOrigins: ownOriginsOf(request) });
    });
    register(app, kiosk.ticket, async (request) =>
      scanAtKiosk(deps, await kioskOf(request), { ...request.body, ownOrigins: ownOriginsOf(request) }),
    );
    register(app, kiosk.admission, async (request) =>
      admitAtKiosk(deps, await kioskOf(request), request.body),
    );
    register(app, kioskBadges.take, async (request) => takeBadgeAtKiosk(deps, await kioskOf(request)));
    register(app, kioskBadges.end, async (request) =>
      endBadgeAtKiosk(deps, await kioskOf(request), request.body),
    );
  });

  // Image tags cannot send a token, and everyone can see the logo on the screen.
  register(scope, kiosk.logo, async (request, reply) => {
    const image = await readLogo(deps, request.params.logo_id);
    return reply
      .type('image/webp')
      .header('cache-control', FOREVER)
      .header('x-content-type-options', 'nosniff')
      .send(image);
  });

  const ownOriginsOf = (request: Pick<FastifyRequest, 'protocol' | 'host'>) => [
    new URL(deps.baseUrl()).origin,
    `${request.protocol}://${request.host}`,
  ];

  function prepare(app: FastifyInstance): void {
    app.setErrorHandler(replyWithError);
    acceptJsonBodies(app);
    app.addHook('onRequest', neverStore);
  }

  /** Before the body is read. The handlers authorise again, because the kiosk can be removed meanwhile. */
  function requireKiosk(app: FastifyInstance): void {
    app.addHook('onRequest', async (request) => {
      await kioskOf(request);
    });
  }

  const kioskOf = (request: Pick<FastifyRequest, 'headers'>) => authoriseKiosk(deps.db, tokenOf(request));
}

const tokenOf = (request: Pick<FastifyRequest, 'headers'>): string | null =>
  tokenIn(request, KIOSK_TOKEN_HEADER);
