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

const bodyLimit = 16 * 1024;

export const flow = {
  open: {
    method: 'POST',
    path: '/flow/sessions/:session_id/open',
    body: OpenRequest,
    reply: OpenResponse,
    bodyLimit,
  },
  openInvite: {
    method: 'POST',
    path: '/flow/invites/:code/open',
    body: OpenRequest,
    reply: OpenResponse,
    bodyLimit,
  },
  openVerification: {
    method: 'POST',
    path: '/flow/verifications/:id/open',
    body: OpenRequest,
    reply: OpenResponse,
    bodyLimit,
  },
  openHandoff: {
    method: 'POST',
    path: '/flow/handoff/open',
    body: HandoffOpenRequest,
    reply: HandoffOpenResponse,
    bodyLimit,
  },
  openContinuation: {
    method: 'POST',
    path: '/flow/continuation/open',
    body: ContinuationOpenRequest,
    reply: OpenResponse,
    bodyLimit,
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
    method: 'POST',
    path: '/flow/sessions/:session_id/consent',
    body: ConsentRequest,
    reply: Snapshot,
    bodyLimit,
  },
  sendCode: {
    method: 'POST',
    path: '/flow/sessions/:session_id/phone',
    body: PhoneRequest,
    reply: Snapshot,
    bodyLimit,
  },
  confirmCode: {
    method: 'POST',
    path: '/flow/sessions/:session_id/phone/confirm',
    body: PhoneConfirmRequest,
    reply: Snapshot,
    bodyLimit,
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
    method: 'POST',
    path: '/flow/sessions/:session_id/test-capture',
    body: TestCaptureRequest,
    reply: Snapshot,
    bodyLimit,
  },
  testReview: {
    method: 'POST',
    path: '/flow/sessions/:session_id/test-review',
    body: TestReviewRequest,
    reply: Snapshot,
    bodyLimit,
  },
  decline: {
    method: 'POST',
    path: '/flow/sessions/:session_id/decline',
    reply: Snapshot,
    bodyLimit,
  },
  /** Returns 204. */
  release: {
    method: 'POST',
    path: '/flow/sessions/:session_id/release',
  },
  offerHandoff: {
    method: 'POST',
    path: '/flow/sessions/:session_id/handoff',
    reply: HandoffResponse,
    bodyLimit,
  },
  confirmHandoff: {
    method: 'POST',
    path: '/flow/sessions/:session_id/handoff/confirm',
    body: HandoffConfirmRequest,
    reply: Snapshot,
    bodyLimit,
  },
  offerContinuation: {
    method: 'POST',
    path: '/flow/sessions/:session_id/continuation',
    reply: ContinuationResponse,
    bodyLimit,
  },
} as const satisfies Routes;
