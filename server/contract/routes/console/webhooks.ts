import { Type } from 'typebox';
import { PageQuery, WithReason } from '../../console/common.ts';
import {
  ConsoleCallDetail,
  ConsoleCallPage,
  ReceiverChange,
  RerunFailed,
  RerunFailedResult,
  V3WebhookItem,
  V3WebhookItems,
  V3WebhookSave,
  WebhookCallQuery,
  WebhookDestinationSave,
  WebhookLineDetail,
  WebhookLinePage,
  WebhookQueued,
  WebhookReceiver,
  WebhookReceivers,
  WebhookSecretRotate,
  WebhookSecrets,
} from '../../console/webhooks.ts';
import { EventRequest, WebhookCreate, WebhookDeleted } from '../../v3-webhooks.ts';
import type { ConsoleRoutes } from '../route.ts';

const line = { lineage_id: Type.String() };
const destination = { ...line, webhook_type: Type.String() };
const call = { ...line, transaction_id: Type.String() };

export const webhooks = {
  lines: {
    method: 'GET',
    path: '/webhooks/lines',
    role: 'admin',
    summary: 'List the API key families that have webhooks, newest first',
    query: PageQuery,
    reply: WebhookLinePage,
  },
  line: {
    method: 'GET',
    path: '/webhooks/lines/:lineage_id',
    role: 'admin',
    summary: 'Read the destinations and secrets of a key family',
    params: line,
    reply: WebhookLineDetail,
  },
  saveDestination: {
    method: 'PUT',
    path: '/webhooks/lines/:lineage_id/destinations/:webhook_type',
    role: 'admin',
    summary: 'Set the destination for a type of event, and turn it on',
    params: destination,
    body: WebhookDestinationSave,
    reply: WebhookLineDetail,
  },
  removeDestination: {
    method: 'DELETE',
    path: '/webhooks/lines/:lineage_id/destinations/:webhook_type',
    role: 'admin',
    summary: 'Remove a destination; its waiting calls fail',
    params: destination,
    body: WithReason,
    reply: WebhookLineDetail,
  },
  testDestination: {
    method: 'POST',
    path: '/webhooks/lines/:lineage_id/destinations/:webhook_type/test',
    role: 'admin',
    summary: 'Send a test event',
    params: destination,
    reply: WebhookQueued,
  },
  showSecrets: {
    method: 'POST',
    path: '/webhooks/lines/:lineage_id/secret/show',
    role: 'admin',
    summary: 'Show the secrets that receivers may need',
    params: line,
    reply: WebhookSecrets,
  },
  rotateSecret: {
    method: 'POST',
    path: '/webhooks/lines/:lineage_id/secret/rotate',
    role: 'admin',
    summary: 'Create a new secret, which signs from now on',
    params: line,
    body: WebhookSecretRotate,
    reply: WebhookSecrets,
  },
  receivers: {
    method: 'GET',
    path: '/webhooks/receivers',
    role: 'admin',
    summary: 'List receivers that are failing or paused',
    reply: WebhookReceivers,
  },
  pauseReceiver: {
    method: 'POST',
    path: '/webhooks/receivers/pause',
    role: 'admin',
    summary: 'Pause a receiver; its calls wait',
    body: ReceiverChange,
    reply: WebhookReceiver,
  },
  resumeReceiver: {
    method: 'POST',
    path: '/webhooks/receivers/resume',
    role: 'admin',
    summary: 'Resume a receiver and send its waiting calls',
    body: ReceiverChange,
    reply: WebhookReceiver,
  },
} as const satisfies ConsoleRoutes;

const v3Webhook = { webhook_id: Type.String() };

export const v3Webhooks = {
  list: {
    method: 'GET',
    path: '/webhooks/v3',
    role: 'admin',
    summary: 'List the webhooks of v3, oldest first',
    reply: V3WebhookItems,
  },
  create: {
    method: 'POST',
    path: '/webhooks/v3',
    role: 'admin',
    summary: 'Create a webhook of v3',
    body: WebhookCreate,
    reply: V3WebhookItem,
  },
  save: {
    method: 'PUT',
    path: '/webhooks/v3/:webhook_id',
    role: 'admin',
    summary: 'Change a webhook of v3, and turn it on',
    params: v3Webhook,
    body: V3WebhookSave,
    reply: V3WebhookItem,
  },
  remove: {
    method: 'DELETE',
    path: '/webhooks/v3/:webhook_id',
    role: 'admin',
    summary: 'Delete a webhook of v3; its waiting messages fail',
    params: v3Webhook,
    body: WithReason,
    reply: WebhookDeleted,
  },
  test: {
    method: 'POST',
    path: '/webhooks/v3/:webhook_id/events',
    role: 'admin',
    summary: 'Send an event with sample data',
    params: v3Webhook,
    body: EventRequest,
    reply: WebhookQueued,
  },
} as const satisfies ConsoleRoutes;

export const webhookCalls = {
  list: {
    method: 'GET',
    path: '/webhooks/lines/:lineage_id/calls',
    role: 'admin',
    summary: 'List the calls of a key family, newest first',
    params: line,
    query: WebhookCallQuery,
    reply: ConsoleCallPage,
  },
  read: {
    method: 'GET',
    path: '/webhooks/lines/:lineage_id/calls/:transaction_id',
    role: 'admin',
    summary: 'Read a call with its attempts',
    params: call,
    reply: ConsoleCallDetail,
  },
  rerun: {
    method: 'POST',
    path: '/webhooks/lines/:lineage_id/calls/:transaction_id/rerun',
    role: 'admin',
    summary: 'Send an ended call again, with a new ID, or try a waiting one now, with its own',
    params: call,
    reply: WebhookQueued,
  },
  rerunFailed: {
    method: 'POST',
    path: '/webhooks/lines/:lineage_id/rerun-failed',
    role: 'admin',
    summary: 'Send again the calls that failed since a time, and try all waiting ones now',
    params: line,
    body: RerunFailed,
    reply: RerunFailedResult,
  },
} as const satisfies ConsoleRoutes;
