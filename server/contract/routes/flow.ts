/** The flow API: calls of a guest's page and the kiosk during a run. The caller sends `X-Flow-Token`. */
import { Type } from 'typebox';
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
const session = { session_id: Type.String() };

export const flow = {
  open: {
    method: 'POST',
    path: '/flow/sessions/:session_id/open',
    params: session,
    body: OpenRequest,
    reply: OpenResponse,
    bodyLimit,
  },
  openInvite: {
    method: 'POST',
    path: '/flow/invites/:code/open',
    params: { code: Type.String() },
    body: OpenRequest,
    reply: OpenResponse,
    bodyLimit,
  },
  openVerification: {
    method: 'POST',
    path: '/flow/verifications/:id/open',
    params: { id: Type.String() },
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
    params: session,
    reply: Snapshot,
  },
  /** Server-sent events: a snapshot immediately and after every change. */
  events: {
    method: 'GET',
    path: '/flow/sessions/:session_id/events',
    params: session,
    stream: true,
  },
  consent: {
    method: 'POST',
    path: '/flow/sessions/:session_id/consent',
    params: session,
    body: ConsentRequest,
    reply: Snapshot,
    bodyLimit,
  },
  sendCode: {
    method: 'POST',
    path: '/flow/sessions/:session_id/phone',
    params: session,
    body: PhoneRequest,
    reply: Snapshot,
    bodyLimit,
  },
  confirmCode: {
    method: 'POST',
    path: '/flow/sessions/:session_id/phone/confirm',
    params: session,
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
    params: session,
    reply: CaptureAnswers,
    bodyLimit: CAPTURE_BOUNDS.maxStillBytes + CAPTURE_BOUNDS.maxTextBytes + 2,
  },
  testCapture: {
    method: 'POST',
    path: '/flow/sessions/:session_id/test-capture',
    params: session,
    body: TestCaptureRequest,
    reply: Snapshot,
    bodyLimit,
  },
  testReview: {
    method: 'POST',
    path: '/flow/sessions/:session_id/test-review',
    params: session,
    body: TestReviewRequest,
    reply: Snapshot,
    bodyLimit,
  },
  decline: {
    method: 'POST',
    path: '/flow/sessions/:session_id/decline',
    params: session,
    reply: Snapshot,
    bodyLimit,
  },
  /** Returns 204. */
  release: {
    method: 'POST',
    path: '/flow/sessions/:session_id/release',
    params: session,
  },
  offerHandoff: {
    method: 'POST',
    path: '/flow/sessions/:session_id/handoff',
    params: session,
    reply: HandoffResponse,
    bodyLimit,
  },
  confirmHandoff: {
    method: 'POST',
    path: '/flow/sessions/:session_id/handoff/confirm',
    params: session,
    body: HandoffConfirmRequest,
    reply: Snapshot,
    bodyLimit,
  },
  offerContinuation: {
    method: 'POST',
    path: '/flow/sessions/:session_id/continuation',
    params: session,
    reply: ContinuationResponse,
    bodyLimit,
  },
} as const satisfies Routes;
