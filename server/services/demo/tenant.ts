/** The demo's company with its verifications and keys, and the staff in its past. */
import { type Actor, operatorActor, operatorNameKey } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { insertCapChange } from '../../store/usage/report.ts';
import { setDailyLimit } from '../../store/companies/companies.ts';
import { endKeyAt, listKeys, revokeKey, touchKey } from '../../store/keys/keys.ts';
import { updateOperator } from '../../store/operators/operators.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { insertVerification } from '../../store/companies/verifications.ts';
import { addCompany, DEFAULT_DAILY_LIMIT } from '../companies/companies.ts';
import { addOperator } from '../operators/operators.ts';
import { newId } from '../ports/ids.ts';
import { type IssuedKeys, issueFirstKeys, issueKey } from '../keys/keys.ts';
import { blankVerification } from '../companies/verifications.ts';
import type { DemoSize } from './size.ts';
import type { Scope } from '../../domain/scope.ts';

const DEMO_COMPANY = 'Harbour Lights Festival (demo)';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const REVIEWER = 'Ines Duarte (demo)';
const STAFF = 'Tomas Keller (demo)';
export const DEMO_OPERATORS: readonly string[] = [REVIEWER, STAFF];
/** When the demo's live pair was rolled, and when the old one ends. */
const ROLLED_BEFORE_MS = 4 * HOUR_MS;
const ROLL_ENDS_AFTER_MS = 20 * HOUR_MS;

type DemoOptions = {
  size: DemoSize;
  nowMs: number;
  startMs: number;
  model: DemoTenant['model'];
  /** Who requested the demo, for the audit log. */
  actor: Actor;
  /** Of an operator that nobody can sign in as. */
  lockedHash: string;
};

export async function makeTenant(
  tx: SqlTx,
  { size, nowMs, startMs, model, actor, lockedHash }: DemoOptions,
): Promise<{ tenant: DemoTenant; keys: IssuedKeys; operatorIds: string[] }> {
  const company = await addCompany(tx, nowMs, {
    name: DEMO_COMPANY,
    actor,
    config: { collision: { action: 'review' }, is_demo: true },
  });
  const companyId = company.company_id;
  const firstKeys = await issueFirstKeys(tx, companyId, startMs);
  const verificationIds = [
    company.default_verification_id,
    ...(await addVerifications(tx, companyId, actor, startMs)),
  ];
  await setDailyLimit(tx, companyId, size.dailyLimit);
  await changeCap(tx, companyId, actor, { from: DEFAULT_DAILY_LIMIT, to: size.dailyLimit / 2, at: startMs });
  const raisedAt = startMs + 40 * DAY_MS;
  await changeCap(tx, companyId, actor, { from: size.dailyLimit / 2, to: size.dailyLimit, at: raisedAt });
  const reviewerId = await addLockedOperator(tx, REVIEWER, 'reviewer', { actor, startMs, lockedHash });
  const staffId = await addLockedOperator(tx, STAFF, 'staff', { actor, startMs, lockedHash });
  const first = await listKeys(tx, companyId);
  const key = (kind: string, partition: string) => {
    const found = first.find((row) => row.kind === kind && row.partition === partition);
    if (!found) throw new Error(`A new company has no ${kind} key.`);
    return found;
  };
  const [secret, api, test] = [key('sk', 'live'), key('ak', 'live'), key('sk', 'test')];
  for (const used of [secret, api, test]) await touchKey(tx, used.id, nowMs - HOUR_MS / 30);
  const rolled = await rollLivePair(tx, companyId, { pairId: secret.pairId, actor, nowMs });
  await revokeLeaked(tx, companyId, { actor, at: startMs + 20 * DAY_MS });
  return {
    keys: { ...firstKeys, ...rolled },
    operatorIds: [reviewerId, staffId],
    tenant: {
      live: { companyId, partition: 'live' },
      test: { companyId, partition: 'test' },
      verificationIds,
      keys: {
        secretKeyId: secret.id,
        apiKeyId: api.id,
        apiLineageId: api.lineageId,
        testKeyId: test.id,
      },
      reviewer: { id: reviewerId, actor: operatorActor(reviewerId) },
      model,
    },
  };
}

/** Those of the box office, the members' club and the crew. */
async function addVerifications(
  tx: SqlTx,
  companyId: string,
  actor: Actor,
  startMs: number,
): Promise<string[]> {
  const origin = 'https://tickets.demo.example';
  const more = [
    {
      externalId: 'box-office',
      origin,
      returnPath: '/orders/verified',
      config: { collision: { action: 'flag' } },
    },
    {
      externalId: 'members-club',
      redirectUrl: 'https://members.demo.example/welcome',
      config: { limit: { kind: 'month', max: 4 }, phone: { required: true } },
    },
    {
      externalId: 'crew-entrance',
      config: { liveness: { challenge: 'strict' }, skip: { window_hours: 12 } },
    },
  ];
  const ids: string[] = [];
  for (const [n, fields] of more.entries()) {
    const at = startMs + n * HOUR_MS;
    const verification = {
      ...blankVerification(companyId, at),
      ...fields,
      config: { ...fields.config, is_demo: true },
    };
    await insertVerification(tx, verification);
    await appendAudit(tx, {
      at,
      actor,
      action: 'verification.create',
      companyId,
      subject: verification.id,
      details: {
        external_id: fields.externalId,
      },
    });
    ids.push(verification.id);
  }
  return ids;
}

async function changeCap(
  tx: SqlTx,
  companyId: string,
  by: Actor,
  { from, to, at }: { from: number; to: number; at: number },
): Promise<void> {
  const change = { fromLimit: from, dailyLimit: to, changedAt: at, changedBy: by, reason: null };
  await insertCapChange(tx, companyId, change);
  await appendAudit(tx, {
    at,
    actor: by,
    action: 'limit.set',
    companyId,
    subject: companyId,
    details: { from, to },
  });
}

/** Named in the demo's decisions and disabled from the start; nobody knows the passphrase. */
async function addLockedOperator(
  tx: SqlTx,
  name: string,
  role: 'staff' | 'reviewer',
  { actor, startMs, lockedHash }: Pick<DemoOptions, 'actor' | 'startMs' | 'lockedHash'>,
): Promise<string> {
  const id = newId(startMs);
  await addOperator(
    tx,
    { id, name, role, origin: 'cli', hash: lockedHash, companyIds: null },
    actor,
    startMs,
  );
  await updateOperator(tx, id, { name, nameKey: operatorNameKey(name), role, disabledAt: startMs });
  return id;
}

async function rollLivePair(
  tx: SqlTx,
  companyId: string,
  { pairId, actor, nowMs }: { pairId: string; actor: Actor; nowMs: number },
): Promise<Partial<IssuedKeys>> {
  const at = nowMs - ROLLED_BEFORE_MS;
  const reason = 'Half-yearly roll';
  const newPairId = newId(at);
  const line = { companyId, partition: 'live', pairId: newPairId, lineageId: pairId } as const;
  const keys: Partial<IssuedKeys> = {
    pk_live: await issueKey(tx, { ...line, kind: 'pk' }, at),
    sk_live: await issueKey(tx, { ...line, kind: 'sk' }, at),
  };
  for (const old of (await listKeys(tx, companyId)).filter((key) => key.pairId === pairId)) {
    await endKeyAt(tx, companyId, old.id, nowMs + ROLL_ENDS_AFTER_MS, reason);
  }
  const details = { new_pair_id: newPairId, overlap: '24h', reason };
  await appendAudit(tx, { at, actor, action: 'key.roll', companyId, subject: pairId, details });
  return keys;
}

async function revokeLeaked(
  tx: SqlTx,
  companyId: string,
  { actor, at }: { actor: Actor; at: number },
): Promise<void> {
  const pairId = newId(at - DAY_MS);
  const line = { companyId, partition: 'test', kind: 'ak', pairId, lineageId: pairId } as const;
  await issueKey(tx, line, at - DAY_MS);
  const leaked = (await listKeys(tx, companyId)).find((key) => key.pairId === pairId);
  if (!leaked) return;
  const reason = 'Was posted in a support ticket';
  await revokeKey(tx, companyId, leaked.id, at, reason);
  await appendAudit(tx, {
    at,
    actor,
    action: 'key.revoke',
    companyId,
    subject: leaked.id,
    details: { pair_id: pairId, reason },
  });
}

/** An event in the demo's past. Events are written in chronological order, as in reality. */
export type DemoEvent = { at: number; write(tx: SqlTx): Promise<void> };

/** Shared state that all parts of the demo write to. */
export type DemoTenant = {
  live: Scope;
  test: Scope;
  /** The default first, then those of the box office, the members' club and the crew. */
  verificationIds: readonly string[];
  keys: {
    /** The secret key that started v3 runs. */
    secretKeyId: string;
    /** The key of v1 and v2 with its family, which receives webhooks. */
    apiKeyId: string;
    apiLineageId: string;
    testKeyId: string;
  };
  /** The reviewer of its cases; `actor` as in the audit log. */
  reviewer: { id: string; actor: Actor };
  /** Of the enrolled faces. */
  model: { id: string; embeddingLength: number; thresholds: { near: number; samePerson: number } };
};
