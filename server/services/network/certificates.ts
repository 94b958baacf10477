/** The authority and the server's certificate, created when first needed and kept in the encrypted database. */
import { createHash, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { KeptCertificate, Subjects } from './authority.ts';

const AUTHORITY = 'lan.authority';
const LEAF = 'lan.certificate';
const DAY_MS = 86_400_000;
/** Renewed this long before its end. */
const RENEW_MS = 30 * DAY_MS;

type KeptLeaf = KeptCertificate & Subjects;

export type LanCertificates = {
  authority: KeptCertificate;
  leaf: KeptCertificate;
  /** Of the leaf. */
  expiresAt: number;
};

/** The certificate for these subjects: the stored one while it matches, else a new one from the same authority. */
export async function lanCertificates(
  db: Database,
  subjects: Subjects,
  nowMs: number,
): Promise<LanCertificates> {
  const [kept, keptLeaf] = await Promise.all([
    readSetting<KeptCertificate>(db, AUTHORITY),
    readSetting<KeptLeaf>(db, LEAF),
  ]);
  if (kept && keptLeaf && fits(keptLeaf, kept, subjects, nowMs)) return withExpiry(kept, keptLeaf);
  // Loaded here, because an installation that is used only locally never needs it.
  const { issueCertificate, newAuthority } = await import('./authority.ts');
  const authority = kept ?? (await keepAuthority(db, await newAuthority(hostname(), nowMs), nowMs));
  // Made outside the transactions, because it takes a while.
  const leaf: KeptLeaf = { ...(await issueCertificate(authority, subjects, nowMs)), ...subjects };
  await db.tx((tx) => writeSetting(tx, LEAF, leaf));
  return withExpiry(authority, leaf);
}

/** End of the stored certificate, epoch milliseconds; null before network mode was first on. */
export async function storedCertificateEnd(db: SqlReader): Promise<number | null> {
  const leaf = await readSetting<KeptLeaf>(db, LEAF);
  return leaf && Date.parse(new X509Certificate(leaf.certificate).validTo);
}

/** When the stored ones were made, in ISO 8601; null before network mode was first on. */
export async function storedCertificates(
  db: SqlReader,
): Promise<{ authority: string | null; certificate: string | null }> {
  const since = (kept: KeptCertificate | null) =>
    kept && new Date(Date.parse(new X509Certificate(kept.certificate).validFrom)).toISOString();
  return {
    authority: since(await readSetting<KeptCertificate>(db, AUTHORITY)),
    certificate: since(await readSetting<KeptLeaf>(db, LEAF)),
  };
}

/** Another process may have created one meanwhile; phones must not be asked to trust two. */
const keepAuthority = (db: Database, made: KeptCertificate, nowMs: number): Promise<KeptCertificate> =>
  db.tx(async (tx) => {
    const present = await readSetting<KeptCertificate>(tx, AUTHORITY);
    if (present) return present;
    await writeSetting(tx, AUTHORITY, made);
    await appendAudit(tx, {
      at: nowMs,
      actor: 'system',
      action: 'lan.authority_created',
      subject: 'lan',
      details: { fingerprint: fingerprintOf(made.certificate) },
    });
    return made;
  });

/** The server's chain: its certificate, then the authority's, for devices that know only its fingerprint. */
export const chainOf = ({ leaf, authority }: LanCertificates): KeptCertificate => ({
  ...leaf,
  certificate: `${leaf.certificate.trimEnd()}\n${authority.certificate}`,
});

/** SHA-256 of the certificate's DER, as phones show it. */
export function fingerprintOf(certificate: string): string {
  const digest = createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
  return (digest.toUpperCase().match(/../g) ?? []).join(':');
}

function fits(
  leaf: KeptLeaf,
  authority: KeptCertificate,
  { names, addresses }: Subjects,
  nowMs: number,
): boolean {
  const certificate = new X509Certificate(leaf.certificate);
  const isSame = (a: readonly string[], b: readonly string[]) =>
    [...a].sort().join() === [...b].sort().join();
  return (
    isSame(leaf.names, names) &&
    isSame(leaf.addresses, addresses) &&
    Date.parse(certificate.validTo) - nowMs > RENEW_MS &&
    Date.parse(certificate.validFrom) <= nowMs &&
    certificate.checkIssued(new X509Certificate(authority.certificate))
  );
}

const withExpiry = (authority: KeptCertificate, leaf: KeptCertificate): LanCertificates => ({
  authority,
  leaf,
  expiresAt: Date.parse(new X509Certificate(leaf.certificate).validTo),
});
