/**
 * Nobody gets in by a restore who never had access to the data that it replaces: a backup can be of another installation,
 * or made by somebody who has seen one (docs/explanation/security.md).
 */
import { createHash } from 'node:crypto';
import {
  disableKiosk,
  disableOperatorAgain,
  listAccessKeys,
  listAccessKiosks,
} from '../../../store/backup/access.ts';
import { listOperators, type StoredOperator } from '../../../store/operators/operators.ts';
import { revokeKey } from '../../../store/keys/keys.ts';
import type { Database, SqlReader, SqlTx } from '../../../store/sql/port.ts';
import { writeSetting } from '../../../store/settings.ts';
import { HAD } from './had-access.ts';
import type { Access } from './repeat-access.ts';

/** How many of each came back disabled. */
export type Disabled = { operators: number; keys: number; kiosks: number };
export type FutureAdmin = { id: string; name: string };

/**
 * Disables what `access` never had, and remembers what it had. If no admin would be left, those of the backup stay: somebody
 * has to be able to sign in.
 */
export async function limitAccess(
  db: Database,
  access: Access,
  { at, keepsAccess, isTrusted }: { at: number; keepsAccess: boolean; isTrusted: boolean },
): Promise<Disabled> {
  return db.tx(async (tx) => {
    await writeSetting(tx, HAD, access.had);
    if (keepsAccess) return { operators: 0, keys: 0, kiosks: 0 };
    return {
      operators: await limitOperators(tx, access, at),
      keys: await limitKeys(tx, access, at),
      kiosks: await limitKiosks(tx, access, { at, isTrusted }),
    };
  });
}

const canManage = ({ role, disabledAt, allCompanies }: StoredOperator): boolean =>
  role === 'admin' && disabledAt === null && allCompanies;

async function limitOperators(tx: SqlTx, { had }: Access, at: number): Promise<number> {
  const known = new Set(had.operators);
  const operators = (await listOperators(tx)).filter(({ disabledAt }) => disabledAt === null);
  const hasAdmin = operators.some((each) => known.has(each.id) && canManage(each));
  let disabled = 0;
  for (const each of operators.filter(({ id }) => !known.has(id))) {
    if (hasAdmin || !canManage(each)) disabled += await disableOperatorAgain(tx, { id: each.id, at });
  }
  return disabled;
}

/** A key of the same ID with other secret bytes is another key. */
async function limitKeys(tx: SqlTx, { keys, had }: Access, at: number): Promise<number> {
  const hashes = new Map(keys.map(({ id, hash }) => [id, Buffer.from(hash).toString('hex')]));
  const isKnown = ({ id, hash }: { id: string; hash: Uint8Array }) =>
    hashes.has(id) ? hashes.get(id) === Buffer.from(hash).toString('hex') : had.keys.includes(id);
  let disabled = 0;
  for (const key of (await listAccessKeys(tx)).filter((each) => !isKnown(each)))
    disabled += await revokeKey(tx, key.companyId, key.id, at, 'unknown to the data that a restore replaced');
  return disabled;
}

/** Of a backup whose maker is not proven, a kiosk that was paired with another device is another kiosk. */
async function limitKiosks(
  tx: SqlTx,
  { kiosks, had }: Access,
  { at, isTrusted }: { at: number; isTrusted: boolean },
): Promise<number> {
  const tokens = new Map(kiosks.map(({ id, tokenHash }) => [id, hexOf(tokenHash)]));
  const isKnown = ({ id, tokenHash }: { id: string; tokenHash: Uint8Array | null }) =>
    isTrusted ? had.kiosks.includes(id) : tokens.has(id) && tokens.get(id) === hexOf(tokenHash);
  let disabled = 0;
  for (const kiosk of (await listAccessKiosks(tx)).filter((each) => !isKnown(each)))
    disabled += await disableKiosk(tx, kiosk.id, at);
  return disabled;
}

const hexOf = (bytes: Uint8Array | null): string =>
  bytes === null ? '' : Buffer.from(bytes).toString('hex');

/** Who could change everything in this data. */
export async function futureAdmins(db: SqlReader): Promise<FutureAdmin[]> {
  const operators = await listOperators(db);
  return operators
    .filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null)
    .map(({ id, name }) => ({ id, name }));
}

/** Confirms these admins and no others. Nobody can know it who was not shown them. */
export const confirmationOf = (admins: readonly FutureAdmin[]): string =>
  createHash('sha256').update(JSON.stringify(admins)).digest('hex').slice(0, 8);
