import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServiceDeps } from '../deps.ts';
import {
  disconnect,
  eraseMe,
  listOwnConnections,
  openOwnPage,
  ownerOf,
  readOwnContact,
  requestOwnCode,
} from '../../services/runs/my-verifications.ts';
import { my } from '../../contract/routes/my.ts';
import { register } from '../register.ts';
import { replyWithError } from '../../refusals/api.ts';
import { refuseDuringMaintenance } from '../maintenance.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { neverStore, tokenIn } from '../headers.ts';

/** "My verifications": the token of a verified number, or the proof of a run, is sent in `X-My-Token`. */
export async function myRoutes(app: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  app.setErrorHandler(replyWithError);
  acceptJsonBodies(app);
  refuseDuringMaintenance(app, deps.maintenance);
  app.addHook('onRequest', neverStore);

  register(app, my.sendCode, (request) => requestOwnCode(deps, request.body, request.ip));
  register(app, my.open, (request) => openOwnPage(deps, request.body));
  register(app, my.contact, () => readOwnContact(deps));
  await app.register(async (ofOwner) => {
    // Before the body is read.
    ofOwner.addHook('onRequest', async (request) => {
      await ownerOf(deps, myTokenOf(request));
    });
    register(ofOwner, my.list, async (request) => ({
      connections: await listOwnConnections(deps, myTokenOf(request)),
    }));
    register(ofOwner, my.disconnect, async (request) => ({
      connections: await disconnect(deps, myTokenOf(request), request.body),
    }));
    register(ofOwner, my.erase, async (request) => ({
      connections: await eraseMe(deps, myTokenOf(request), request.body),
    }));
  });
}

const myTokenOf = (request: FastifyRequest): string | null => tokenIn(request, 'x-my-token');
