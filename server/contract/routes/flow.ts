/** The flow API: calls of a guest's page and the kiosk during a run. The caller sends `X-Flow-Token`. */
import {
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
} from '../flow.ts';
import { CAPTURE_BOUNDS, CaptureAnswers } from '../capture.ts';
import type { Routes } from './route.ts';

const post = { method: 'POST', bodyLimit: 16 * 1024 } as const;

export const flow = {
  open: {
    ...post,
    path: '/flow/sessions/:session_id/open',
    body: OpenRequest,
    reply: OpenResponse,
  },
  openInvite: {
    ...post,
    path: '/flow/invites/:code/open',
    body: OpenRequest,
    reply: OpenResponse,
  },
  openVerification: {
    ...post,
    path: '/flow/verifications/:id/open',
    body: OpenRequest,
    reply: OpenResponse,
  },
  openHandoff: {
    ...post,
    path: '/flow/handoff/open',
    body: HandoffOpenRequest,
    reply: HandoffOpenResponse,
  },
  openContinuation: {
    ...post,
    path: '/flow/continuation/open',
    body: ContinuationOpenRequest,
    reply: OpenResponse,
  },
  read: {
    method: 'GET',
    path: '/flow/sessions/:session_id',
    reply: Snapshot,
  },
  /** Server-sent events: a snapshot immediately and after every change. */
  events: {
    method: 'GET',
    path: '/flow/sessions/:session_id/events',
    stream: true,
  },
  consent: {
    ...post,
    path: '/flow/sessions/:session_id/consent',
    body: ConsentRequest,
    reply: Snapshot,
  },
  sendCode: {
    ...post,
    path: '/flow/sessions/:session_id/phone',
    body: PhoneRequest,
    reply: Snapshot,
  },
  confirmCode: {
    ...post,
    path: '/flow/sessions/:session_id/phone/confirm',
    body: PhoneConfirmRequest,
    reply: Snapshot,
  },
  /**
   * A message of the capture if no WebSocket can be opened: a `ClientMessage` as JSON, or a still as
   * `application/octet-stream`. The WebSocket is `GET` of `…/capture`.
   */
  captureMessages: {
    method: 'POST',
    path: '/flow/sessions/:session_id/capture/messages',
    reply: CaptureAnswers,
    bodyLimit: CAPTURE_BOUNDS.maxStillBytes + CAPTURE_BOUNDS.maxTextBytes + 2,
  },
  testCapture: {
    ...post,
    path: '/flow/sessions/:session_id/test-capture',
    body: TestCaptureRequest,
    reply: Snapshot,
  },
  testReview: {
    ...post,
    path: '/flow/sessions/:session_id/test-review',
    body: TestReviewRequest,
    reply: Snapshot,
  },
  decline: {
    ...post,
    path: '/flow/sessions/:session_id/decline',
    reply: Snapshot,
  },
  /** Returns 204. */
  release: {
    method: 'POST',
    path: '/flow/sessions/:session_id/release',
  },
  offerHandoff: {
    ...post,
    path: '/flow/sessions/:session_id/handoff',
    reply: HandoffResponse,
  },
  confirmHandoff: {
    ...post,
    path: '/flow/sessions/:session_id/handoff/confirm',
    body: HandoffConfirmRequest,
    reply: Snapshot,
  },
  offerContinuation: {
    ...post,
    path: '/flow/sessions/:session_id/continuation',
    reply: ContinuationResponse,
  },
} as const satisfies Routes;
