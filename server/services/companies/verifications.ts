import type { VerificationLabel } from '../../contract/console/verifications.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { parseOrigin, parseReturnAddress } from '../../domain/address.ts';
import { parseEmbedOrigin } from '../../domain/runs/embedding.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import {
  clearDefaultVerification,
  findDefaultVerification,
  findVerification,
  findVerificationByExternalId,
  insertVerification,
  type JoinedVerification,
  pageVerifications,
  updateVerification,
  type Verification,
} from '../../store/companies/verifications.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newId } from '../ports/ids.ts';
import { iso } from '../wire/values.ts';

/** What the console's pages name a verification by. */
export const labelOf = (
  of: Pick<Verification, 'id' | 'externalId' | 'origin' | 'isDefault' | 'createdAt'>,
): VerificationLabel => ({
  verification_id: of.id,
  label: of.externalId ?? of.origin,
  is_default: of.isDefault,
  created_at: iso(of.createdAt),
});

/** The same for a verification that was read with another row. */
export const joinedLabel = (row: JoinedVerification): VerificationLabel =>
  labelOf({
    id: row.verificationId,
    externalId: row.verificationExternalId,
    origin: row.verificationOrigin,
    isDefault: row.verificationIsDefault === 1,
    createdAt: row.verificationCreatedAt,
  });

/** The record on the wire (contract, "verification record"). */
export type VerificationRecord = {
  verification_id: string;
  external_id: string | null;
  external_tenant_id: string | null;
  origin: string | null;
  return_path: string | null;
  start_path: string | null;
  redirect_url: string | null;
  asset_id: string | null;
  config: Record<string, unknown> & {
    require_account: boolean;
    is_test: boolean;
    is_demo: boolean;
    track_attributes: unknown[];
  };
};

/** What its owner saved, on the wire, and a form can change. */
export const addressFields = (v: Verification) => ({
  external_id: v.externalId,
  external_tenant_id: v.externalTenantId,
  origin: v.origin,
  return_path: v.returnPath,
  start_path: v.startPath,
  redirect_url: v.redirectUrl,
});

export const savedFields = (v: Verification) => ({ verification_id: v.id, ...addressFields(v) });

function toRecord(v: Verification): VerificationRecord {
  return {
    ...savedFields(v),
    asset_id: v.assetId,
    config: { require_account: false, is_test: false, is_demo: false, track_attributes: [], ...v.config },
  };
}

/** The record as the command line prints it, including fields that the interface does not have. */
export const toSavedRecord = (v: Verification): VerificationRecord & { embed_origins: string[] } => ({
  ...toRecord(v),
  embed_origins: v.embedOrigins,
});

export function blankVerification(companyId: string, nowMs: number): Verification {
  return {
    id: newId(nowMs),
    companyId,
    externalId: null,
    externalTenantId: null,
    origin: null,
    returnPath: null,
    startPath: null,
    redirectUrl: null,
    assetId: null,
    embedOrigins: [],
    config: {},
    isDefault: false,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/** The editable fields of a verification; absent fields stay unchanged. The config has been checked by its schema. */
export type VerificationChange = Partial<
  Pick<
    Verification,
    | 'externalId'
    | 'externalTenantId'
    | 'origin'
    | 'returnPath'
    | 'startPath'
    | 'redirectUrl'
    | 'embedOrigins'
    | 'config'
  >
> & { makeDefault?: boolean };

/**
 * Checks what changes: an earlier version may have saved what is refused now.
 * @throws Refusal `invalid_origin`, `invalid_redirect_url`
 */
function applyChange(verification: Verification, change: VerificationChange): Verification {
  const { makeDefault, ...fields } = change;
  const next = { ...verification, ...fields, isDefault: verification.isDefault || makeDefault === true };
  if (typeof fields.origin === 'string') next.origin = readOrigin(fields.origin, parseOrigin);
  if (typeof fields.redirectUrl === 'string' && !parseReturnAddress(fields.redirectUrl)) {
    throw new Refusal('invalid_redirect_url');
  }
  if (fields.embedOrigins !== undefined) {
    const origins = fields.embedOrigins.map((text) => readOrigin(text, parseEmbedOrigin));
    next.embedOrigins = [...new Set(origins)];
  }
  return next;
}

function readOrigin(text: string, parse: (text: string) => string | null): string {
  const origin = parse(text);
  if (origin === null) {
    throw new Refusal('invalid_origin', { detail: `invalid_origin: ${text}`, args: { origin: text } });
  }
  return origin;
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Saved by an earlier version, and ignored: no page can have these origins. */
export const unusableOrigins = ({ origin, embedOrigins }: Verification): string[] => [
  ...(origin !== null && parseOrigin(origin) === null ? [origin] : []),
  ...embedOrigins.filter((each) => parseEmbedOrigin(each) === null),
];

/**
 * Creates a verification or, with `id`, changes one. Null if there is none with that ID.
 * @throws Refusal `invalid_origin`, `invalid_redirect_url`, `external_id_already_exists`
 */
export async function saveVerification(
  db: Database,
  clock: Clock,
  request: {
    companyId: string;
    id?: string;
    /** Or what it is, given the stored one. */
    change: VerificationChange | ((tx: SqlTx, stored: Verification) => Promise<VerificationChange>);
    actor: Actor;
    reason?: string;
  },
): Promise<ReturnType<typeof toSavedRecord> | null> {
  return db.tx(async (tx) => {
    const now = clock.now();
    const { companyId, id, actor, reason } = request;
    const existing =
      id === undefined ? blankVerification(companyId, now) : await findVerification(tx, companyId, id);
    if (!existing) return null;
    const change = typeof request.change === 'function' ? await request.change(tx, existing) : request.change;
    const next = { ...applyChange(existing, change), updatedAt: now };
    const holder =
      next.externalId === null
        ? undefined
        : await findVerificationByExternalId(tx, companyId, next.externalId);
    if (holder && holder.id !== next.id) throw new Refusal('external_id_already_exists');
    if (change.makeDefault) await clearDefaultVerification(tx, companyId);
    if (id === undefined) await insertVerification(tx, next);
    else await updateVerification(tx, next);
    await appendAudit(tx, {
      at: now,
      actor,
      action: id === undefined ? 'verification.create' : 'verification.update',
      companyId,
      subject: next.id,
      details: { changed: Object.keys(change).map(snakeCase), ...(reason !== undefined && { reason }) },
    });
    return toSavedRecord(next);
  });
}

export async function listCompanyVerifications(
  db: SqlReader,
  companyId: string,
  page: { limit: number; offset: number },
): Promise<{ items: VerificationRecord[]; total: number; limit: number; offset: number }> {
  // No database counts further, and no company has more; the contract sets no maximum.
  const offset = Math.min(page.offset, Number.MAX_SAFE_INTEGER);
  const { items, total } = await pageVerifications(db, companyId, page.limit, offset);
  return { items: items.map(toRecord), total, ...page };
}

/**
 * One verification with its own link (contract, verifications lookup). With neither ID the default one; with both,
 * both must match.
 * @throws Refusal `not_found`
 */
export async function lookUpVerification(
  { db, baseUrl }: { db: SqlReader; baseUrl: () => string },
  companyId: string,
  by: { id?: string; external_id?: string },
): Promise<VerificationRecord & { url: string }> {
  const found = await findBy(db, companyId, by);
  if (!found || (by.external_id !== undefined && found.externalId !== by.external_id)) {
    throw new Refusal('not_found');
  }
  return { url: `${baseUrl()}/v/${found.id}`, ...toRecord(found) };
}

function findBy(
  db: SqlReader,
  companyId: string,
  { id, external_id: externalId }: { id?: string; external_id?: string },
): Promise<Verification | undefined> {
  if (id !== undefined) return findVerification(db, companyId, id.toLowerCase());
  if (externalId !== undefined) return findVerificationByExternalId(db, companyId, externalId);
  return findDefaultVerification(db, companyId);
}
