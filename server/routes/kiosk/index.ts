/** What kiosks ask of the public listener; who calls is said by the device's token in `X-Kiosk-Token`. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  KIOSK_TOKEN_HEADER,
  KioskConfig,
  KioskHeartbeat,
  KioskOrders,
  KioskPairRequest,
  KioskPairResponse,
  KioskScanRequest,
  KioskSessionResponse,
  KioskStaff,
  KioskUnlockRequest,
  KioskUnlockResponse,
  KioskUnpairRequest,
  KioskUnpairResponse,
} from '../../contract/kiosk.ts';
import { createRateLimiter } from '../../services/connect/rate-limit.ts';
import { checkQuickPin, operatorsWithPin } from '../../services/operators/quick-pin.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { ServiceError } from '../../services/errors.ts';
import { noteHeartbeat, readKioskConfig, readLogo } from '../../services/venue/kiosk-config.ts';
import { pairDevice, unpairDevice } from '../../services/venue/kiosk-pairing.ts';
import { openScanned, startWalkUp } from '../../services/venue/kiosk-runs.ts';
import { authoriseKiosk } from '../../services/venue/kiosk-tokens.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { refuseDuringMaintenance } from '../maintenance.ts';
import { neverStore } from '../never-store.ts';
import { replyWithKioskError } from './failures.ts';
import { streamOrders } from './orders.ts';

const MAX_BODY_BYTES = 8 * 1024;
/** Codes tried from one address; with 39 bits and ten minutes, guessing one is out of reach anyway. */
const PAIRINGS = { limit: 10, windowMs: 60_000, maxAddresses: 10_000 };
const YEAR_S = 31_536_000;

export async function kioskRoutes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const pairings = createRateLimiter(PAIRINGS);

  await scope.register(async (plain) => {
    const app = prepare(plain);

    app.post(
      '/kiosk/pair',
      {
        bodyLimit: MAX_BODY_BYTES,
        schema: { body: KioskPairRequest, response: { 200: KioskPairResponse } },
      },
      async (request) => {
        const waitMs = pairings.count(request.ip, deps.clock.now());
        if (waitMs !== null) throw new ServiceError('too_many_pairings', { retryAfterS: waitMs / 1_000 });
        return pairDevice(deps, request.body.code);
      },
    );

    app.get('/kiosk/config', { schema: { response: { 200: KioskConfig } } }, async (request) =>
      readKioskConfig(deps, await kioskOf(request)),
    );

    app.post(
      '/kiosk/heartbeat',
      { bodyLimit: MAX_BODY_BYTES, schema: { body: KioskHeartbeat, response: { 200: KioskOrders } } },
      async (request) => noteHeartbeat(deps, await kioskOf(request), request.body),
    );

    app.get('/kiosk/events', async (request, reply) => {
      await kioskOf(request);
      streamOrders(deps, tokenOf(request), request, reply);
    });

    app.get('/kiosk/staff', { schema: { response: { 200: KioskStaff } } }, async (request) => {
      const { companyId } = await kioskOf(request);
      return { items: await operatorsWithPin(deps.db, companyId) };
    });

    app.post(
      '/kiosk/unlock',
      {
        bodyLimit: MAX_BODY_BYTES,
        schema: { body: KioskUnlockRequest, response: { 200: KioskUnlockResponse } },
      },
      async (request) => {
        const kiosk = await kioskOf(request);
        const { operator_id: operatorId, pin } = request.body;
        const place = `kiosk:${kiosk.id}`;
        const { id, name } = await checkQuickPin(deps, {
          operatorId,
          pin,
          place,
          companyId: kiosk.companyId,
        });
        return { operator_id: id, name };
      },
    );

    app.post(
      '/kiosk/unpair',
      {
        bodyLimit: MAX_BODY_BYTES,
        schema: { body: KioskUnpairRequest, response: { 200: KioskUnpairResponse } },
      },
      async (request) => unpairDevice(deps, await kioskOf(request), request.body),
    );
  });

  // Staff can see to a kiosk while nobody can be checked.
  await scope.register(async (plain) => {
    const app = prepare(plain);
    refuseDuringMaintenance(app, deps.maintenance);

    app.post(
      '/kiosk/sessions',
      { bodyLimit: MAX_BODY_BYTES, schema: { response: { 200: KioskSessionResponse } } },
      async (request) => startWalkUp(deps, await kioskOf(request)),
    );

    app.post(
      '/kiosk/scan',
      {
        bodyLimit: MAX_BODY_BYTES,
        schema: { body: KioskScanRequest, response: { 200: KioskSessionResponse } },
      },
      async (request) => {
        const kiosk = await kioskOf(request);
        const ownOrigins = [new URL(deps.baseUrl()).origin, `${request.protocol}://${request.host}`];
        return openScanned(deps, kiosk, { text: request.body.text, ownOrigins });
      },
    );
  });

  // An image tag sends no token; what everybody sees on the screen is no secret.
  scope.get(
    '/kiosk/logos/:logo_id',
    { schema: { params: Type.Object({ logo_id: Type.String() }) } },
    async (request, reply) => {
      const { logo_id: logoId } = request.params as { logo_id: string };
      const image = await readLogo(deps, logoId);
      return reply
        .type('image/webp')
        .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
        .header('x-content-type-options', 'nosniff')
        .send(image);
    },
  );

  function prepare(plain: FastifyInstance) {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    app.setErrorHandler(replyWithKioskError);
    acceptJsonBodies(app);
    app.addHook('onRequest', neverStore);
    return app;
  }

  const kioskOf = (request: Pick<FastifyRequest, 'headers'>) => authoriseKiosk(deps.db, tokenOf(request));
}

function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const header = headers[KIOSK_TOKEN_HEADER];
  return typeof header === 'string' && header !== '' ? header : null;
}
