/** Verifications as the console shows and edits them, under the rules of the interface's own config. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { ConsoleVerification, VerificationFields } from '../../contract/console/verifications.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { isUniqueViolation, type SqlReader } from '../../store/sql/port.ts';
import {
  findVerification,
  listVerificationsAfter,
  type Verification,
} from '../../store/companies/verifications.ts';
import type { Ports } from '../ports/ports.ts';
import { checkRunConfig } from './run-config.ts';
import {
  addressFields,
  savedFields,
  saveVerification,
  unusableOrigins,
  type VerificationChange,
} from './verifications.ts';
import { iso, placeOf } from '../wire/values.ts';
import { type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';

type Deps = Pick<Ports, 'db' | 'clock' | 'baseUrl'>;

/** Oldest first. @throws Refusal `invalid_cursor` */
export async function listVerifications(
  { db, baseUrl }: Pick<Deps, 'db' | 'baseUrl'>,
  companyId: string,
  query: { cursor?: string; limit?: number },
): Promise<{ items: ConsoleVerification[]; next_cursor: string | null }> {
  const limit = pageLimit(query);
  const after = placeOf(query.cursor, ['number', 'string']);
  const rows = await listVerificationsAfter(db, companyId, {
    after: after && { createdAt: after[0], id: after[1] },
    limit: limit + 1,
  });
  return toPage(
    rows,
    limit,
    ({ createdAt, id }) => [createdAt, id],
    (row) => toItem(row, baseUrl()),
  );
}

/** @throws Refusal `not_found` */
export async function readVerification(
  { db, baseUrl }: Pick<Deps, 'db' | 'baseUrl'>,
  companyId: string,
  id: string,
): Promise<ConsoleVerification> {
  return toItem(await found(db, companyId, id), baseUrl());
}

async function found(db: SqlReader, companyId: string, id: string): Promise<Verification> {
  const verification = await findVerification(db, companyId, id);
  if (!verification) throw notFound();
  return verification;
}

type Save = { companyId: string; actor: Actor; reason?: string };

/**
 * Creates one or, with `id`, changes one. Judges the config as the interface does.
 * @throws Refusal `not_found`, `changed_meanwhile`, `config_incomplete`, `invalid_origin`, `invalid_redirect_url`,
 * `external_id_already_exists`; ValidationError
 */
export async function editVerification(
  deps: Deps,
  id: string | null,
  { version, makeDefault, ...fields }: VerificationFields & { makeDefault?: boolean },
  { companyId, actor, reason }: Save,
): Promise<ConsoleVerification> {
  if (fields.config !== undefined) checkRunConfig(fields.config);
  try {
    const record = await saveVerification(deps.db, deps.clock, {
      companyId,
      change: async (tx, stored) => {
        const current = verificationFields(stored);
        const log: ChangeLog = { subject: stored.id, actions: ['verification.update'], companyId };
        const merged = await mergeChange(tx, { version, current, sent: tidied(fields), log });
        if (merged.config !== undefined) checkRunConfig(merged.config);
        return changeOf({ ...merged, ...(makeDefault !== undefined && { makeDefault }) });
      },
      actor,
      ...(id !== null && { id }),
      ...(reason !== undefined && { reason }),
    });
    if (!record) throw notFound();
    return await readVerification(deps, companyId, record.verification_id);
  } catch (error) {
    if (isUniqueViolation(error, 'verifications_external'))
      throw new Refusal('external_id_already_exists', { cause: error });
    throw error;
  }
}

/** As on the wire: what a form can change. */
const verificationFields = (v: Verification) => ({
  ...addressFields(v),
  embed_origins: v.embedOrigins,
  config: v.config,
});

/** Null for a text that was emptied. */
function tidied({ embed_origins, config, ...texts }: VerificationFields): VerificationFields {
  const tidy = (value: string | null | undefined) => (value?.trim() === '' ? null : value?.trim());
  return {
    ...Object.fromEntries(
      Object.entries(texts).map(([name, value]) => [name, value === null ? null : tidy(value)]),
    ),
    ...(embed_origins !== undefined && { embed_origins }),
    ...(config !== undefined && { config }),
  };
}

function changeOf(fields: VerificationFields & { makeDefault?: boolean }): VerificationChange {
  const texts = {
    externalId: fields.external_id,
    externalTenantId: fields.external_tenant_id,
    origin: fields.origin,
    returnPath: fields.return_path,
    startPath: fields.start_path,
    redirectUrl: fields.redirect_url,
  };
  const change: VerificationChange = {};
  for (const [field, value] of Object.entries(texts) as [keyof typeof texts, string | null | undefined][]) {
    if (value !== undefined) change[field] = value;
  }
  if (fields.embed_origins !== undefined) change.embedOrigins = fields.embed_origins;
  if (fields.config !== undefined) change.config = fields.config;
  if (fields.makeDefault === true) change.makeDefault = true;
  return change;
}

const toItem = (v: Verification, baseUrl: string): ConsoleVerification => ({
  ...savedFields(v),
  embed_origins: v.embedOrigins,
  unusable_origins: unusableOrigins(v),
  config: v.config,
  is_default: v.isDefault,
  url: `${baseUrl}/v/${v.id}`,
  created_at: iso(v.createdAt),
  updated_at: iso(v.updatedAt),
  version: versionOf(verificationFields(v)),
});
