import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenRequest } from '../../contract/flow.ts';
import { offerContinuation, openContinuation } from '../../services/runs/continuation.ts';
import type { ServiceDeps } from '../deps.ts';
import {
  authoriseFlow,
  decline,
  giveConsent,
  openSession,
  releaseSession,
} from '../../services/runs/flow.ts';
import { authoriseHandoff, confirmNumber, offerHandoff, openHandoff } from '../../services/runs/handoff.ts';
import { confirmCode, requestCode } from '../../services/runs/phone-step.ts';
import { openInvite } from '../../services/runs/invites.ts';
import { snapshotOf } from '../../services/runs/sessions/session-view.ts';
import { openAtHome } from '../../services/tickets/at-home.ts';
import { captureTestFace, reviewTestRun } from '../../services/capture/test-capture.ts';
import { type LinkOpening, openVerificationLink } from '../../services/runs/verification-link.ts';
import { replyWithError } from '../../refusals/api.ts';
import { keepUnknownPaths, refuseDuringMaintenance } from '../maintenance.ts';
import { flowTokenOf, neverStore } from '../headers.ts';
import { flow } from '../../contract/routes/flow.ts';
import { homeTickets } from '../../contract/routes/home-tickets.ts';
import { register } from '../register.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { createSnapshotStreams } from './events.ts';
import { captureRoutes } from './capture.ts';

/** The flow API of decisions §6, for the hosted page and the kiosk. */
export async function flowRoutes(app: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  app.setErrorHandler(replyWithError);
  acceptJsonBodies(app);
  refuseDuringMaintenance(app, deps.maintenance);
  app.addHook('onRequest', neverStore);
  await keepUnknownPaths(app, '/flow');
  await app.register(captureRoutes, { deps });

  type InSession = FastifyRequest<{ Params: { session_id: string } }>;
  const authorised = (request: InSession) =>
    authoriseFlow(deps, request.params.session_id, flowTokenOf(request));

  register(app, flow.open, (request) =>
    openSession(deps, request.params.session_id, request.body, flowTokenOf(request)),
  );
  register(app, flow.openInvite, (request) => openInvite(deps, request.params.code, openingOf(request)));
  register(app, flow.openVerification, (request) =>
    openVerificationLink(deps, request.params.id, openingOf(request)),
  );
  register(app, homeTickets.open, (request) => openAtHome(deps, request.body, request.ip));
  register(app, flow.openHandoff, (request) => openHandoff(deps, request.body));
  register(app, flow.openContinuation, (request) => openContinuation(deps, request.body));

  register(app, flow.read, async (request) => snapshotOf(deps, await authorised(request)));
  const streamSnapshots = createSnapshotStreams(deps);
  register(app, flow.events, (request, reply) => streamSnapshots(request, reply, flowTokenOf(request)));
  register(
    app,
    flow.confirmHandoff,
    (request) => confirmNumber(deps, request.params.session_id, flowTokenOf(request), request.body.number),
    {
      onRequest: async (request) => {
        await authoriseHandoff(deps, request.params.session_id, flowTokenOf(request));
      },
    },
  );
  await app.register(async (inSession) => {
    // Before the body is read. The handlers authorise again, because another page can take the session meanwhile.
    inSession.addHook('onRequest', async (request: InSession) => {
      await authorised(request);
    });
    register(inSession, flow.consent, async (request) =>
      giveConsent(deps, await authorised(request), request.body),
    );
    register(inSession, flow.sendCode, async (request) =>
      requestCode(deps, await authorised(request), request.body.phone),
    );
    register(inSession, flow.confirmCode, async (request) =>
      confirmCode(deps, await authorised(request), request.body.code),
    );
    register(inSession, flow.testCapture, async (request) =>
      captureTestFace(deps, await authorised(request), request.body.face, flowTokenOf(request)),
    );
    register(inSession, flow.testReview, async (request) =>
      reviewTestRun(deps, await authorised(request), request.body.decision),
    );
    register(inSession, flow.decline, async (request) => decline(deps, await authorised(request)));
    register(inSession, flow.release, async (request, reply) => {
      const session = await authorised(request);
      await releaseSession(deps, session, flowTokenOf(request) ?? '');
      return reply.code(204).send();
    });
    register(inSession, flow.offerHandoff, async (request) =>
      offerHandoff(deps, await authorised(request), flowTokenOf(request)),
    );
    register(inSession, flow.offerContinuation, async (request) =>
      offerContinuation(deps, await authorised(request), flowTokenOf(request) ?? ''),
    );
  });
}

function openingOf(request: FastifyRequest<{ Body: OpenRequest }>): LinkOpening {
  return { device: request.body.device, flowToken: flowTokenOf(request), address: request.ip };
}
