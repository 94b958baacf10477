import { Type } from 'typebox';
import {
  NextReview,
  ReviewCaseDetail,
  ReviewDecide,
  ReviewDecided,
  ReviewFigures,
  ReviewItem,
  ReviewNoteCreate,
  ReviewPage,
  ReviewQuery,
  UndoableReviews,
} from '../../console/reviews.ts';
import { Done } from '../../console/common.ts';
import type { ConsoleRoutes } from '../route.ts';

const reviewCase = { case_id: Type.String({ maxLength: 64 }) };

export const reviews = {
  list: {
    method: 'GET',
    path: '/reviews',
    role: 'reviewer',
    summary: 'List cases: waiting ones oldest first, decided ones newest first',
    query: ReviewQuery.properties,
    reply: ReviewPage,
  },
  figures: {
    method: 'GET',
    path: '/reviews/figures',
    role: 'reviewer',
    summary: 'Read how many cases are waiting, how long, and how fast they are decided',
    reply: ReviewFigures,
  },
  undoable: {
    method: 'GET',
    path: '/reviews/undoable',
    role: 'reviewer',
    summary: 'List your decisions that can still be undone',
    reply: UndoableReviews,
  },
  read: {
    method: 'GET',
    path: '/reviews/:case_id',
    role: 'reviewer',
    summary: 'Read a case with both sides, their pictures and history',
    params: reviewCase,
    reply: ReviewCaseDetail,
  },
  frame: {
    method: 'GET',
    path: '/reviews/:case_id/frames/:index',
    role: 'reviewer',
    summary: 'Get a picture of a case, as JPEG',
    params: { ...reviewCase, index: Type.Integer({ minimum: 0 }) },
  },
  next: {
    method: 'POST',
    path: '/reviews/next',
    role: 'reviewer',
    summary: 'Take the oldest free case',
    reply: NextReview,
  },
  claim: {
    method: 'POST',
    path: '/reviews/:case_id/claim',
    role: 'reviewer',
    background: true,
    summary: 'Take a case or extend the claim',
    params: reviewCase,
    reply: ReviewItem,
  },
  release: {
    method: 'POST',
    path: '/reviews/:case_id/release',
    role: 'reviewer',
    summary: 'Release a case',
    params: reviewCase,
    reply: ReviewItem,
  },
  decide: {
    method: 'POST',
    path: '/reviews/:case_id/decide',
    role: 'reviewer',
    summary: 'Decide a case; takes effect after one minute',
    params: reviewCase,
    body: ReviewDecide,
    reply: ReviewDecided,
  },
  undo: {
    method: 'POST',
    path: '/reviews/:case_id/undo',
    role: 'reviewer',
    summary: 'Undo your own decision before it takes effect',
    params: reviewCase,
    reply: ReviewItem,
  },
  addNote: {
    method: 'POST',
    path: '/reviews/:case_id/notes',
    role: 'reviewer',
    summary: 'Add a note to a case',
    params: reviewCase,
    body: ReviewNoteCreate,
    reply: Done,
  },
} as const satisfies ConsoleRoutes;
