import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { readReviewCase, readReviewFrame } from '../../services/reviews/case.ts';
import {
  addReviewNote,
  assignReview,
  claimNextReview,
  claimReview,
  decideReviewLater,
  decideReviewsTogether,
  releaseReview,
  applyReviewsNow,
  undoReview,
  undoReviewsTogether,
} from '../../services/reviews/decide.ts';
import { viewGuestPhoto } from '../../services/reviews/guest-photo.ts';
import {
  readAgreement,
  readReviewers,
  readReviewFigures,
  readReviewPage,
  readUndoable,
} from '../../services/reviews/queue.ts';
import { reviews } from '../../contract/routes/console/reviews.ts';
import { type ConsoleCall, done, register } from './register.ts';

/** Reviews, for reviewers. */
export function reviewRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  readingRoutes(app, deps);
  workingRoutes(app, deps);
}

function readingRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, reviews.list, ({ scope, query, signedIn }) =>
    readReviewPage(deps, scope, signedIn.operator.id, query),
  );
  register(app, deps, reviews.figures, ({ scope }) => readReviewFigures(deps, scope));
  register(app, deps, reviews.agreement, ({ scope, signedIn }) =>
    readAgreement(deps, scope, signedIn.operator),
  );
  register(app, deps, reviews.undoable, ({ scope, signedIn }) =>
    readUndoable(deps, scope, signedIn.operator.id),
  );
  register(app, deps, reviews.reviewers, ({ scope }) => readReviewers(deps, scope));
  register(app, deps, reviews.read, ({ scope, params }) => readReviewCase(deps, scope, params.case_id));
  register(app, deps, reviews.frame, async ({ scope, params, reply }) => {
    const jpeg = await readReviewFrame(deps, scope, { caseId: params.case_id, index: params.index });
    return reply.type('image/jpeg').send(Buffer.from(jpeg));
  });
  register(app, deps, reviews.photo, async ({ scope, params, signedIn, reply }) => {
    const call = { scope, caseId: params.case_id, operatorId: signedIn.operator.id };
    const jpeg = await viewGuestPhoto(deps, call, params.person_id);
    return reply.type('image/jpeg').send(Buffer.from(jpeg));
  });
}

function workingRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  const caseCall = ({
    scope,
    params,
    signedIn,
  }: Pick<ConsoleCall<typeof reviews.claim>, 'scope' | 'params' | 'signedIn'>) => ({
    scope,
    caseId: params.case_id,
    operatorId: signedIn.operator.id,
  });

  register(app, deps, reviews.next, ({ scope, signedIn }) =>
    claimNextReview(deps, { scope, operatorId: signedIn.operator.id }),
  );
  register(app, deps, reviews.claim, (call) => claimReview(deps, caseCall(call)));
  register(app, deps, reviews.release, (call) => releaseReview(deps, caseCall(call)));
  register(app, deps, reviews.decide, (call) => decideReviewLater(deps, caseCall(call), call.body));
  register(app, deps, reviews.decideTogether, ({ scope, signedIn, body }) =>
    decideReviewsTogether(deps, { scope, operatorId: signedIn.operator.id }, body),
  );
  register(app, deps, reviews.undoTogether, ({ scope, signedIn, body }) =>
    undoReviewsTogether(deps, { scope, operatorId: signedIn.operator.id }, body),
  );
  register(app, deps, reviews.assign, (call) => assignReview(deps, caseCall(call), call.body.operator_id));
  register(app, deps, reviews.applyNow, ({ scope, signedIn, body }) =>
    applyReviewsNow(deps, { scope, operatorId: signedIn.operator.id }, body),
  );
  register(app, deps, reviews.undo, (call) => undoReview(deps, caseCall(call)));
  register(app, deps, reviews.addNote, (call) => done(addReviewNote(deps, caseCall(call), call.body.text)));
}
