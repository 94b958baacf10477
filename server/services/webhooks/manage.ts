/** Webhooks as the console shows them, one API-KEY family at a time. Changes are made by `services/webhooks`. */
import type {
  ConsoleCall,
  ConsoleCallDetail,
  V3WebhookItem,
  WebhookDestinationItem,
  WebhookLine,
  WebhookLineDetail,
  WebhookLinePage,
  WebhookSecrets,
} from '../../contract/console/webhooks.ts';
import type { Webhook } from '../../contract/v3-webhooks.ts';
import type { CallStatus } from '../../contract/webhook-types.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import type { Scope } from '../../domain/scope.ts';
import { listConnectLines, listLineKeys } from '../../store/keys/key-pairs.ts';
import { findKeyName } from '../../store/keys/key-names.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findWebhookCall, listWebhookCalls, type WebhookCall } from '../../store/webhooks/calls.ts';
import { listWebhookConfigs, type WebhookSecret } from '../../store/webhooks/configs.ts';
import { findV3Webhook } from '../../store/webhooks/v3-webhooks.ts';
import { listAttemptsOf } from '../../store/webhooks/events.ts';
import type { Ports } from '../ports/ports.ts';
import { keyState } from '../keys/keys.ts';
import { callTimes, eventItem, type WebhookOwner } from './admin.ts';
import { knownType } from './refusals.ts';
import { type DestinationItem, listDestinations } from './destinations.ts';
import { bodyOf, reportedRun } from './reported-run.ts';
import { listSecrets } from './secrets.ts';
import { iso, isoOrNull, placeOf } from '../wire/values.ts';
import { versionOf } from '../wire/versions.ts';
import { notFound } from '../../refusals/refusal.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;
type PageRequest = { cursor?: string; limit?: number };

/** Newest first. @throws Refusal `invalid_cursor` */
export async function listLines(
  { db, clock }: Deps,
  scope: Scope,
  query: PageRequest,
): Promise<WebhookLinePage> {
  const limit = pageLimit(query);
  const beforeId = placeOf(query.cursor, ['string'])?.[0] ?? null;
  const ids = await listConnectLines(db, scope, { beforeId, limit: limit + 1 });
  const page = toPage(
    ids,
    limit,
    (id) => [id],
    (id) => id,
  );
  const items = await Promise.all(page.items.map((id) => lineOf(db, scope, id, clock.now())));
  return { items, next_cursor: page.next_cursor };
}

async function lineOf(db: SqlReader, scope: Scope, lineageId: string, nowMs: number): Promise<WebhookLine> {
  const keys = (await listLineKeys(db, scope, lineageId)).filter(({ kind }) => kind === 'ak');
  const working = keys.filter((key) => ['active', 'ending'].includes(keyState(key, nowMs)));
  const configs = await listWebhookConfigs(db, scope, lineageId);
  const shown = working.length > 0 ? working : keys.slice(0, 1);
  if (shown.length === 0) throw notFound();
  return {
    lineage_id: lineageId,
    displays: shown.map(({ display }) => display),
    name: await findKeyName(db, scope.companyId, lineageId),
    works: working.length > 0,
    destinations: configs.length,
  };
}

/** A key family of the scope. @throws Refusal `not_found` */
export async function ownedLine({ db, clock }: Deps, scope: Scope, lineageId: string): Promise<WebhookOwner> {
  await lineOf(db, scope, lineageId, clock.now());
  return { scope, lineageId };
}

/**
 * A key family of the scope, or a webhook of v3, which has calls and secrets as one.
 * @throws Refusal `not_found`
 */
export async function ownedCalls(deps: Deps, scope: Scope, lineageId: string): Promise<WebhookOwner> {
  if (await findV3Webhook(deps.db, scope, lineageId)) return { scope, lineageId };
  return ownedLine(deps, scope, lineageId);
}

/** @throws Refusal `not_found` */
export async function readLine(
  { db, clock }: Deps,
  scope: Scope,
  lineageId: string,
): Promise<WebhookLineDetail> {
  const now = clock.now();
  const line = await lineOf(db, scope, lineageId, now);
  const configs = await listWebhookConfigs(db, scope, lineageId);
  const receivers = await listDestinations(db, scope);
  const destinations = configs.map((config): WebhookDestinationItem => {
    const { origin } = new URL(config.destinationUrl);
    return {
      webhook_type: knownType(config.type),
      destination_url: config.destinationUrl,
      version: versionOf({ destination_url: config.destinationUrl }),
      created_at: iso(config.createdAt),
      changed_at: iso(config.changedAt),
      disabled_at: isoOrNull(config.disabledAt),
      disabled_reason: config.disabledReason,
      receiver: receivers.find((receiver) => receiver.origin === origin) ?? null,
    };
  });
  const secrets = await listSecrets(db, scope, lineageId, now);
  const unset = versionOf({ destination_url: null });
  return { line, destinations, unset_version: unset, secrets: secrets.map(secretItem) };
}

/** A webhook of v3 with what the console shows beside it. */
export async function v3Item({ db, clock }: Deps, scope: Scope, webhook: Webhook): Promise<V3WebhookItem> {
  const secrets = await listSecrets(db, scope, webhook.webhook_id, clock.now());
  const { url, events, description } = webhook;
  return { ...webhook, version: versionOf({ url, events, description }), secrets: secrets.map(secretItem) };
}

/** Receivers that need attention: gone, paused or failing ones, those paused longest first. */
export async function troubledReceivers(db: SqlReader, scope: Scope): Promise<DestinationItem[]> {
  return (await listDestinations(db, scope))
    .filter(({ state }) => state !== 'working')
    .sort((a, b) => (a.paused_at ?? '9').localeCompare(b.paused_at ?? '9'));
}

const secretItem = ({ version, createdAt, endsAt }: WebhookSecret) => ({
  version,
  created_at: iso(createdAt),
  ends_at: isoOrNull(endsAt),
});

export const wholeSecrets = (secrets: readonly WebhookSecret[]): WebhookSecrets => ({
  items: secrets.map((secret) => ({ ...secretItem(secret), secret: secret.secret })),
});

/** Newest first. @throws Refusal `invalid_cursor` */
export async function listCalls(
  db: SqlReader,
  { scope, lineageId }: WebhookOwner,
  query: PageRequest & { status?: CallStatus },
): Promise<{ items: ConsoleCall[]; next_cursor: string | null }> {
  const limit = pageLimit(query);
  const before = placeOf(query.cursor, ['number']);
  const rows = await listWebhookCalls(db, scope, lineageId, {
    limit: limit + 1,
    beforeSeq: before?.[0] ?? null,
    status: query.status ?? null,
  });
  return toPage(rows, limit, ({ seq }) => [seq], consoleCall);
}

/** @throws Refusal `not_found` */
export async function readCall(
  db: SqlReader,
  { scope, lineageId }: WebhookOwner,
  transactionId: string,
): Promise<ConsoleCallDetail> {
  const call = await findWebhookCall(db, scope, lineageId, transactionId);
  if (!call) throw notFound();
  const attempts = await listAttemptsOf(db, scope, lineageId, transactionId);
  const run = await reportedRun(db, scope, call);
  return {
    call: consoleCall(call),
    session: run === undefined ? null : { session_id: run.sessionId, settled_at: isoOrNull(run.settledAt) },
    body: Buffer.from(call.body).toString('utf8'),
    attempts: attempts.map((event) => ({ ...eventItem(event), destination_url: event.destinationUrl })),
  };
}

const consoleCall = (call: WebhookCall): ConsoleCall => ({
  ...callTimes(call),
  webhook_type: call.type,
  destination_url: call.destinationUrl,
  user: userOf(bodyOf(call)),
});

const userOf = (body: ReturnType<typeof bodyOf>): string =>
  'data' in body ? (body.data.external_id ?? body.data.external_ids?.[0] ?? '') : body.reference_user_id;
