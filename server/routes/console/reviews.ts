import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Done } from '../../contract/console/common.ts';
import {
  NextReview,
  ReviewCaseDetail,
  ReviewDecide,
  ReviewFigures,
  ReviewItem,
  ReviewNoteCreate,
  ReviewPage,
  ReviewQuery,
  UndoableReviews,
} from '../../contract/console/reviews.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { readReviewCase, readReviewFrame } from '../../services/reviews/case.ts';
import {
  addReviewNote,
  claimNextReview,
  claimReview,
  decideReviewLater,
  releaseReview,
  undoReview,
} from '../../services/reviews/decide.ts';
import { readReviewFigures, readReviewPage, readUndoable } from '../../services/reviews/queue.ts';
import { type ScopedCall, scopedRoute } from './route.ts';

const caseParams = { case_id: Type.String({ maxLength: 64 }) };

/** Reviews, for reviewers. */
export function reviewRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  readingRoutes(app, deps);
  workingRoutes(app, deps);
}

function readingRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/reviews',
    role: 'reviewer',
    summary: 'Cases: what waits oldest first, what was decided newest first',
    query: ReviewQuery.properties,
    response: ReviewPage,
    handler: ({ scope, query, signedIn }) => readReviewPage(deps, scope, signedIn.operator.id, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/reviews/figures',
    role: 'reviewer',
    summary: 'How many wait, for how long, and how fast they are decided',
    response: ReviewFigures,
    handler: ({ scope }) => readReviewFigures(deps, scope),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/reviews/undoable',
    role: 'reviewer',
    summary: 'One’s own decisions that can still be undone',
    response: UndoableReviews,
    handler: ({ scope, signedIn }) => readUndoable(deps, scope, signedIn.operator.id),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/reviews/:case_id',
    role: 'reviewer',
    summary: 'A case with both sides, their pictures and their past',
    params: caseParams,
    response: ReviewCaseDetail,
    handler: ({ scope, params }) => readReviewCase(deps, scope, params.case_id),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/reviews/:case_id/frames/:index',
    role: 'reviewer',
    summary: 'A picture of a case, as JPEG',
    params: { ...caseParams, index: Type.Integer({ minimum: 0 }) },
    handler: async ({ scope, params, reply }) => {
      const jpeg = await readReviewFrame(deps, scope, { caseId: params.case_id, index: params.index });
      return reply.type('image/jpeg').send(Buffer.from(jpeg));
    },
  });
}

function workingRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  type OnCase = Pick<ScopedCall<unknown, unknown, { case_id: string }>, 'scope' | 'params' | 'signedIn'>;
  const caseCall = ({ scope, params, signedIn }: OnCase) => ({
    scope,
    caseId: params.case_id,
    operatorId: signedIn.operator.id,
  });

  scopedRoute(app, deps, {
    method: 'POST',
    url: '/reviews/next',
    role: 'reviewer',
    summary: 'Take the oldest case that is free',
    response: NextReview,
    handler: ({ scope, signedIn }) => claimNextReview(deps, { scope, operatorId: signedIn.operator.id }),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/reviews/:case_id/claim',
    role: 'reviewer',
    // A page that is only open renews by itself: that must not keep its operator signed in.
    background: true,
    summary: 'Take a case, or hold it for longer',
    params: caseParams,
    response: ReviewItem,
    handler: (call) => claimReview(deps, caseCall(call)),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/reviews/:case_id/release',
    role: 'reviewer',
    summary: 'Let others have a case',
    params: caseParams,
    response: ReviewItem,
    handler: (call) => releaseReview(deps, caseCall(call)),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/reviews/:case_id/decide',
    role: 'reviewer',
    summary: 'Decide a case; it takes effect in a minute',
    params: caseParams,
    body: ReviewDecide,
    response: ReviewItem,
    handler: (call) => decideReviewLater(deps, caseCall(call), call.body),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/reviews/:case_id/undo',
    role: 'reviewer',
    summary: 'Take one’s own decision back before it takes effect',
    params: caseParams,
    response: ReviewItem,
    handler: (call) => undoReview(deps, caseCall(call)),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/reviews/:case_id/notes',
    role: 'reviewer',
    summary: 'Leave a note for whoever looks next',
    params: caseParams,
    body: ReviewNoteCreate,
    response: Done,
    handler: async (call) => {
      await addReviewNote(deps, caseCall(call), call.body.text);
      return { ok: true } as const;
    },
  });
}
