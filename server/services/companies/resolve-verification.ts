import type { InitializeRequest } from '../../contract/v3.ts';
import { parseOrigin } from '../../domain/address.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import {
  findDefaultVerification,
  findVerification,
  findVerificationByExternalId,
  listVerificationsWithOrigin,
  type Verification,
} from '../../store/companies/verifications.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Caller } from '../keys/keys.ts';

/**
 * Which verification a run uses (decisions §3.5): named by ID, else by the customer's ID, else by origin and the
 * longest matching start path (one that only lists the origin for embedding comes second), else the company's default.
 * @throws Refusal `no_matching_verification`
 */
export async function resolveVerification(
  db: SqlReader,
  caller: Caller,
  body: Pick<InitializeRequest, 'verification_id' | 'verification_external_id' | 'origin' | 'start_path'>,
): Promise<Verification> {
  const found = await resolve(db, caller, body);
  if (!found) throw new Refusal('no_matching_verification');
  return found;
}

async function resolve(
  db: SqlReader,
  { scope: { companyId, partition }, kind }: Caller,
  body: Pick<InitializeRequest, 'verification_id' | 'verification_external_id' | 'origin' | 'start_path'>,
): Promise<Verification | undefined> {
  if (body.verification_id !== undefined)
    return findVerification(db, companyId, body.verification_id.toLowerCase());
  if (body.verification_external_id !== undefined) {
    return findVerificationByExternalId(db, companyId, body.verification_external_id);
  }
  if (body.origin !== undefined) {
    const origin = parseOrigin(body.origin);
    const saved = await listVerificationsWithOrigin(db, companyId);
    const own = saved.filter((v) => v.origin === origin);
    const here =
      own.length > 0 || origin === null ? own : saved.filter((v) => v.embedOrigins.includes(origin));
    // A browser key must not send tokens to a foreign site.
    if (here.length === 0 && kind === 'pk' && partition === 'live') return undefined;
    const match = longestStartPath(here, body.start_path ?? null);
    if (match) return match;
  }
  return findDefaultVerification(db, companyId);
}

/**
 * The longest start path that is a prefix of the requested one. A verification without a start path matches every
 * path.
 */
export function longestStartPath(
  candidates: readonly Verification[],
  startPath: string | null,
): Verification | undefined {
  return candidates
    .filter((candidate) => candidate.startPath === null || isPathPrefix(candidate.startPath, startPath))
    .reduce<Verification | undefined>(
      (best, next) => (best && pathLength(best) >= pathLength(next) ? best : next),
      undefined,
    );
}

const pathLength = (verification: Verification): number => verification.startPath?.length ?? -1;

/** Whole segments only: /shop covers /shop and /shop/cart, not /shopping. */
function isPathPrefix(prefix: string, path: string | null): boolean {
  if (path === null) return false;
  const [a, b] = [withSlashes(prefix), withSlashes(path)];
  return b.startsWith(a);
}

const withSlashes = (path: string): string => `/${path.split(/[?#]/, 1)[0] ?? ''}/`.replace(/\/+/g, '/');
