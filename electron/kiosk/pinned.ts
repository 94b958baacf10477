/**
 * Whether another machine's certificate is signed by the installation's own authority, which is known only by its
 * fingerprint. Chromium does not know this authority, so everything that it would check is checked here.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** PEM, as the server sent them. `issuer` is the claimed signer; null if the server sent only one certificate. */
type Shown = { hostname: string; certificate: string; issuer: string | null };

/** Answers of Electron's `setCertificateVerifyProc`. */
export const VERIFY = { trusted: 0, refused: -2, asChromium: -3 } as const;

/**
 * The decision about a connection. If a fingerprint is known, an authority that the system trusts is not sufficient:
 * it may belong to an intercepting proxy.
 * @param errorCode Chromium's result; 0 if the system trusts it
 */
export function verdictOn(
  shown: Shown,
  { fingerprint, errorCode, nowMs }: { fingerprint: string; errorCode: number; nowMs: number },
): (typeof VERIFY)[keyof typeof VERIFY] {
  if (isPinned(shown, fingerprint, nowMs)) return VERIFY.trusted;
  return errorCode === 0 ? VERIFY.refused : VERIFY.asChromium;
}

/** @param fingerprint SHA-256 of the authority's certificate: 64 hexadecimal characters, upper case */
export function isPinned(
  { hostname, certificate, issuer }: Shown,
  fingerprint: string,
  nowMs: number,
): boolean {
  if (issuer === null) return false;
  let leaf: X509Certificate;
  let authority: X509Certificate;
  try {
    leaf = new X509Certificate(certificate);
    authority = new X509Certificate(issuer);
  } catch {
    return false;
  }
  const isIn = ({ validFrom, validTo }: X509Certificate) =>
    Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
  // A chain proves nothing until its signature is checked: anyone can send the authority's certificate along.
  return (
    authority.fingerprint256.replaceAll(':', '') === fingerprint &&
    authority.ca &&
    leaf.checkIssued(authority) &&
    leaf.verify(authority.publicKey) &&
    isIn(authority) &&
    isIn(leaf) &&
    isNamed(leaf, hostname)
  );
}

function isNamed(leaf: X509Certificate, hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return (
    (isIP(address) === 0 ? leaf.checkHost(address, { subject: 'never' }) : leaf.checkIP(address)) !==
    undefined
  );
}
