/** What an integrator would have left in the demo's test partition: runs of test faces. */
import type { Reason } from '../../domain/settling/reasons.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { insertPass } from '../../store/passes/passes.ts';
import { bindExternalId, insertPerson, insertTestFace, touchPerson } from '../../store/people/people.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import type { DemoEvent, DemoTenant } from './tenant.ts';
import { SESSION_ATTEMPTS } from '../runs/sessions/sessions.ts';
import { agreedDays, blankSession, writeRunEvents, writeSession } from './runs.ts';
import type { Counted } from './usage.ts';
import type { Dice } from './random.ts';

const FACES = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi'];
/** Integrators tested within the last weeks. */
const SINCE_MS = 21 * 86_400_000;
const RUN_MS = 6_000;

/** One event per run; `counted` is filled while they are written. */
export function testRunEvents(
  tenant: DemoTenant,
  runs: number,
  { nowMs, dice, counted }: { nowMs: number; dice: Dice; counted: Counted[] },
): DemoEvent[] {
  const personIds = new Map<string, string>();
  const moments = Array.from({ length: runs }, () => nowMs - dice.below(SINCE_MS)).sort((a, b) => a - b);
  return moments.map((at) => {
    const name = dice.pick(FACES);
    const isDenied = dice.chance(0.2);
    return { at, write: (tx) => writeTestRun(tx, tenant, { at, name, isDenied }, personIds, counted) };
  });
}

async function writeTestRun(
  tx: SqlTx,
  tenant: DemoTenant,
  { at, name, isDenied }: { at: number; name: string; isDenied: boolean },
  personIds: Map<string, string>,
  counted: Counted[],
): Promise<void> {
  const run = { startedAt: at - RUN_MS, generation: 'v3', group: 'trial', verificationIndex: 1 } as const;
  const known = personIds.get(name);
  const personId = known ?? newId(at);
  const isApproved = !isDenied || known === undefined;
  const blank = blankSession(tenant, run);
  const externalId = `test-${name}`;
  const session = {
    ...blank,
    scope: tenant.test,
    keyId: tenant.keys.testKeyId,
    request: { ...blank.request, externalId, metadata: { name } },
  };
  const passId = newId(at);
  const attemptsUsed = isApproved ? 0 : SESSION_ATTEMPTS;
  const seen = { at, device: 'desktop', language: 'en', attemptsUsed } as const;
  await writeSession(tx, session, seen, { state: 'settled', passId });
  await writeRunEvents(tx, session, seen, { score: null });
  if (known === undefined) {
    personIds.set(name, personId);
    await insertPerson(tx, tenant.test, personId, at);
    await bindExternalId(tx, tenant.test, {
      personId,
      externalId,
      verificationId: session.verificationId,
      at,
    });
    await insertTestFace(tx, tenant.test, name, personId);
  }
  await touchPerson(tx, tenant.test, personId, {
    metadata: { name },
    retentionDays: agreedDays(tenant.test),
    agreedAt: at,
    at,
  });
  const status = isApproved ? 'approved' : 'denied';
  const reasons: Reason[] = isApproved ? [] : ['liveness_failed'];
  await insertPass(tx, tenant.test, {
    id: passId,
    sessionId: session.id,
    verificationId: session.verificationId,
    personId: isApproved ? personId : null,
    status,
    reasons,
    groups: [],
    group: run.group,
    declined: false,
    externalId,
    identity: null,
    score: isApproved ? 8 : 80,
    settledAt: at,
    lockedAt: null,
    revokedAt: null,
    generation: 'v3',
  });
  const details = { pass_id: passId, status, reasons };
  const { verificationId: subject } = session;
  await appendAudit(tx, { at, actor: 'system', action: 'run.settle', ...tenant.test, subject, details });
  const outcome = isApproved ? 'approved' : 'liveness_failed';
  counted.push({ at, verificationId: session.verificationId, group: run.group, outcome });
}
