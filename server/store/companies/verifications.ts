import type { SqlReader, SqlTx } from '../sql/port.ts';
import { flag, fromJson, insertRow, toJson, updateRow } from '../rows.ts';

/** A saved verification: where it starts, where it returns to, and its config (contract, "verification record"). */
export type Verification = {
  id: string;
  companyId: string;
  externalId: string | null;
  externalTenantId: string | null;
  origin: string | null;
  returnPath: string | null;
  startPath: string | null;
  redirectUrl: string | null;
  assetId: string | null;
  /** Further origins whose pages may embed its live checks. */
  embedOrigins: string[];
  config: Record<string, unknown>;
  isDefault: boolean;
  createdAt: number;
  updatedAt: number;
};

/** A row's verification, joined as `v`, with all that it is named by. */
export type JoinedVerification = {
  verificationId: string;
  verificationExternalId: string | null;
  verificationOrigin: string | null;
  verificationIsDefault: number;
  verificationCreatedAt: number;
};

export const JOINED_VERIFICATION = `v.id AS verificationId, v.external_id AS verificationExternalId,
  v.origin AS verificationOrigin, v.is_default AS verificationIsDefault, v.created_at AS verificationCreatedAt`;

type Row = Omit<Verification, 'config' | 'embedOrigins' | 'isDefault'> & {
  config: string;
  embedOrigins: string;
  isDefault: number;
};

const COLUMNS = `id, company_id AS companyId, external_id AS externalId, external_tenant_id AS externalTenantId, origin,
  return_path AS returnPath, start_path AS startPath, redirect_url AS redirectUrl, asset_id AS assetId, embed_origins AS embedOrigins, config,
  is_default AS isDefault, created_at AS createdAt, updated_at AS updatedAt`;

const fromRow = ({ secrets }: SqlReader, row: Row): Verification => ({
  ...row,
  redirectUrl: secrets.open('verifications.redirect_url', [row.id], row.redirectUrl),
  embedOrigins: fromJson<string[]>(row.embedOrigins),
  config: JSON.parse(row.config) as Record<string, unknown>,
  isDefault: row.isDefault === 1,
});

/** What its owner can change. */
const columnsOf = ({ secrets }: SqlTx, v: Verification) => ({
  external_id: v.externalId,
  external_tenant_id: v.externalTenantId,
  origin: v.origin,
  return_path: v.returnPath,
  start_path: v.startPath,
  redirect_url: secrets.seal('verifications.redirect_url', [v.id], v.redirectUrl),
  asset_id: v.assetId,
  embed_origins: toJson(v.embedOrigins),
  config: toJson(v.config),
  is_default: flag(v.isDefault),
  updated_at: v.updatedAt,
});

export async function insertVerification(tx: SqlTx, v: Verification): Promise<void> {
  const own = { id: v.id, company_id: v.companyId, created_at: v.createdAt };
  await insertRow(tx, 'verifications', { ...own, ...columnsOf(tx, v) });
}

export function updateVerification(tx: SqlTx, v: Verification): Promise<number> {
  return updateRow(tx, 'verifications', { company_id: v.companyId, id: v.id }, columnsOf(tx, v));
}

/** Clears the default, because a company has exactly one. */
export function clearDefaultVerification(tx: SqlTx, companyId: string): Promise<number> {
  return tx.run('UPDATE verifications SET is_default = 0 WHERE company_id = ? AND is_default = 1', companyId);
}

/** Put together once, because each run reads one. */
const where = (condition: string) => `SELECT ${COLUMNS} FROM verifications WHERE ${condition}`;
const BY_ID = where('company_id = ? AND id = ?');
const BY_ID_ANYWHERE = where('id = ?');
const BY_EXTERNAL_ID = where('company_id = ? AND external_id = ?');
const DEFAULT = where('company_id = ? AND is_default = 1');

async function one(db: SqlReader, sql: string, ...params: string[]): Promise<Verification | undefined> {
  const row = await db.one<Row>(sql, ...params);
  return row && fromRow(db, row);
}

export const findVerification = (db: SqlReader, companyId: string, id: string) =>
  one(db, BY_ID, companyId, id);

/** For a link that names only the verification: the company is the verification's own. */
export const findVerificationAnywhere = (db: SqlReader, id: string) => one(db, BY_ID_ANYWHERE, id);

export const findVerificationByExternalId = (db: SqlReader, companyId: string, externalId: string) =>
  one(db, BY_EXTERNAL_ID, companyId, externalId);

export const findDefaultVerification = (db: SqlReader, companyId: string) => one(db, DEFAULT, companyId);

/** Those with a saved origin of either kind, oldest first. */
export async function listVerificationsWithOrigin(db: SqlReader, companyId: string): Promise<Verification[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM verifications WHERE company_id = ? AND (origin IS NOT NULL OR embed_origins <> '[]')
     ORDER BY created_at, id`,
    companyId,
  );
  return rows.map((row) => fromRow(db, row));
}

/** One page, oldest first (decisions §3.14), with the total number. */
export async function pageVerifications(
  db: SqlReader,
  companyId: string,
  limit: number,
  offset: number,
): Promise<{ items: Verification[]; total: number }> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM verifications WHERE company_id = ? ORDER BY created_at, id LIMIT ? OFFSET ?`,
    companyId,
    limit,
    offset,
  );
  const count = await db.one<{ total: number }>(
    'SELECT COUNT(*) AS total FROM verifications WHERE company_id = ?',
    companyId,
  );
  return { items: rows.map((row) => fromRow(db, row)), total: count?.total ?? 0 };
}

/** Those that come after the given one, oldest first. */
export async function listVerificationsAfter(
  db: SqlReader,
  companyId: string,
  page: { after: Pick<Verification, 'createdAt' | 'id'> | null; limit: number },
): Promise<Verification[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM verifications WHERE company_id = ? AND (created_at, id) > (?, ?)
     ORDER BY created_at, id LIMIT ?`,
    companyId,
    page.after?.createdAt ?? -1,
    page.after?.id ?? '',
    page.limit,
  );
  return rows.map((row) => fromRow(db, row));
}
