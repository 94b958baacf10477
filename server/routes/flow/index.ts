import multipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  CAPTURE_LIMITS,
  ChallengeResponse,
  ConsentRequest,
  ContinuationOpenRequest,
  ContinuationResponse,
  HandoffConfirmRequest,
  HandoffOpenRequest,
  HandoffOpenResponse,
  HandoffResponse,
  OpenRequest,
  OpenResponse,
  PhoneConfirmRequest,
  PhoneRequest,
  Snapshot,
  TestCaptureRequest,
  TestReviewRequest,
} from '../../contract/flow.ts';
import { judgeUpload } from '../../services/capture/capture.ts';
import { offerContinuation, openContinuation } from '../../services/runs/continuation.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import {
  authoriseFlow,
  createChallenge,
  decline,
  giveConsent,
  openSession,
  releaseSession,
} from '../../services/runs/flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from '../../services/runs/handoff.ts';
import { confirmCode, requestCode } from '../../services/runs/phone-step.ts';
import { openInvite } from '../../services/runs/invites.ts';
import { snapshotOf } from '../../services/runs/session-view.ts';
import { captureTestFace, reviewTestRun } from '../../services/capture/test-capture.ts';
import { type LinkOpening, openVerificationLink } from '../../services/runs/verification-link.ts';
import { refuseDuringMaintenance } from '../maintenance.ts';
import { neverStore } from '../never-store.ts';
import { replyWithError } from '../http-errors.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { streamSnapshots } from './events.ts';
import { readUpload } from './upload.ts';

const MAX_BODY_BYTES = 16 * 1024;

const SessionParams = Type.Object({ session_id: Type.String() });

/** The flow API of decisions §6, for the hosted page and the kiosk. */
export async function flowRoutes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  app.setErrorHandler(replyWithError);
  acceptJsonBodies(app);
  await app.register(multipart, {
    limits: {
      fileSize: CAPTURE_LIMITS.maxFrameBytes,
      files: CAPTURE_LIMITS.maxFrames,
      fieldSize: 64 * 1024,
      fields: 4,
      parts: CAPTURE_LIMITS.maxFrames + 4,
    },
  });
  refuseDuringMaintenance(app, deps.maintenance);
  app.addHook('onRequest', neverStore);

  const base = '/flow/sessions/:session_id';
  const reply = { response: { 200: Snapshot } };
  const authorised = (request: FastifyRequest<{ Params: { session_id: string } }>) =>
    authoriseFlow(deps, request.params.session_id, flowTokenOf(request));

  app.post(
    `${base}/open`,
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: { params: SessionParams, body: OpenRequest, response: { 200: OpenResponse } },
    },
    (request) => openSession(deps, request.params.session_id, request.body, flowTokenOf(request)),
  );

  app.get(base, { schema: { params: SessionParams, ...reply } }, async (request) =>
    snapshotOf(deps, await authorised(request)),
  );

  app.post(
    `${base}/consent`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, body: ConsentRequest, ...reply } },
    async (request) => giveConsent(deps, await authorised(request), request.body),
  );

  app.post(
    `${base}/phone`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, body: PhoneRequest, ...reply } },
    async (request) => requestCode(deps, await authorised(request), request.body.phone),
  );

  app.post(
    `${base}/phone/confirm`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, body: PhoneConfirmRequest, ...reply } },
    async (request) => confirmCode(deps, await authorised(request), request.body.code),
  );

  app.post(
    `${base}/handoff`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, response: { 200: HandoffResponse } } },
    async (request) => offerHandoff(deps, await authorised(request)),
  );

  app.post(
    `${base}/handoff/confirm`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, body: HandoffConfirmRequest, ...reply } },
    (request) => confirmNumber(deps, request.params.session_id, flowTokenOf(request), request.body.number),
  );

  app.post(
    '/flow/handoff/open',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: { body: HandoffOpenRequest, response: { 200: HandoffOpenResponse } },
    },
    (request) => openHandoff(deps, request.body),
  );

  app.post(
    `${base}/continuation`,
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: { params: SessionParams, response: { 200: ContinuationResponse } },
    },
    async (request) => offerContinuation(deps, await authorised(request), flowTokenOf(request) ?? ''),
  );

  app.post(
    '/flow/continuation/open',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: { body: ContinuationOpenRequest, response: { 200: OpenResponse } },
    },
    (request) => openContinuation(deps, request.body),
  );

  app.post(
    `${base}/capture/challenge`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, response: { 200: ChallengeResponse } } },
    async (request) => createChallenge(deps, await authorised(request)),
  );

  app.post(
    `${base}/capture`,
    { bodyLimit: CAPTURE_LIMITS.maxTotalBytes, schema: { params: SessionParams, ...reply } },
    async (request) => {
      const session = await authorised(request);
      return judgeUpload(deps, session, await readUpload(request));
    },
  );

  app.post(
    `${base}/test-capture`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, body: TestCaptureRequest, ...reply } },
    async (request) => captureTestFace(deps, await authorised(request), request.body.face),
  );

  app.post(
    `${base}/test-review`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, body: TestReviewRequest, ...reply } },
    async (request) => reviewTestRun(deps, await authorised(request), request.body.decision),
  );

  app.post(
    '/flow/invites/:code/open',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        params: Type.Object({ code: Type.String() }),
        body: OpenRequest,
        response: { 200: OpenResponse },
      },
    },
    (request) => openInvite(deps, request.params.code, openingOf(request)),
  );

  app.post(
    '/flow/verifications/:id/open',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        params: Type.Object({ id: Type.String() }),
        body: OpenRequest,
        response: { 200: OpenResponse },
      },
    },
    (request) => openVerificationLink(deps, request.params.id, openingOf(request)),
  );

  app.post(
    `${base}/decline`,
    { bodyLimit: MAX_BODY_BYTES, schema: { params: SessionParams, ...reply } },
    async (request) => decline(deps, await authorised(request)),
  );

  app.post(`${base}/release`, { schema: { params: SessionParams } }, async (request, response) => {
    const session = await authorised(request);
    await releaseSession(deps, session, flowTokenOf(request) ?? '');
    return response.code(204).send();
  });

  app.get(`${base}/events`, { schema: { params: SessionParams } }, async (request, response) => {
    const session = await authorised(request);
    streamSnapshots(deps, session.id, flowTokenOf(request), request, response);
  });
}

function openingOf(request: FastifyRequest<{ Body: OpenRequest }>): LinkOpening {
  return { device: request.body.device, flowToken: flowTokenOf(request), address: request.ip };
}

function flowTokenOf(request: Pick<FastifyRequest, 'headers'>): string | null {
  const header = request.headers['x-flow-token'];
  return typeof header === 'string' && header !== '' ? header : null;
}
