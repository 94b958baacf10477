/**
 * The installation's own certificates: an authority that phones at the venue are asked to trust, and the certificate
 * of this server, signed by it (RFC 5280). The authority may sign only for private addresses and local names (name
 * constraints, RFC 5280 §4.2.1.10), so a stolen key cannot be used to impersonate a site on the internet.
 */
import { randomBytes } from 'node:crypto';
import 'reflect-metadata';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
/** Browsers and phones refuse server certificates that are valid for more than 398 days. */
const LEAF_DAYS = 397;
/** Clocks of phones are not always right. */
const BACKDATED_MS = DAY_MS;
/** A serial number of 20 octets that stays positive (RFC 5280 §4.1.2.2). */
const SERIAL_BYTES = 16;
/** A common name has at most 64 characters (RFC 5280, appendix A.1). */
const COMMON_NAME_CHARS = 64;

/** A name covers itself and every name below it. */
const LOCAL_NAMES = ['localhost', 'local', 'lan', 'internal', 'home.arpa'];
/** Loopback, private (RFC 1918), shared (RFC 6598), unique local (RFC 4193) and link-local. */
const PRIVATE_NETWORKS = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

x509.cryptoProvider.set(crypto);

/** PEM. The key is only ever in the database and in memory. */
export type KeptCertificate = { certificate: string; key: string };

/** The subjects of a certificate: names such as `venue-pc.local`, addresses such as `192.168.1.4` or `fd00::4`. */
export type Subjects = { names: readonly string[]; addresses: readonly string[] };

/** @param label distinguishes the authorities of two installations in a phone's settings */
export async function newAuthority(label: string, nowMs: number): Promise<KeptCertificate> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [`Gatehouse ${label}`.slice(0, COMMON_NAME_CHARS)] }],
    notBefore: new Date(nowMs - BACKDATED_MS),
    notAfter: new Date(nowMs + AUTHORITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      // What it signs proves a server, never a person, a program or a message.
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      new x509.Extension(id_ce_nameConstraints, true, localNamesOnly()),
    ],
  });
  return kept(certificate, keys);
}

function localNamesOnly(): ArrayBuffer {
  const permitted = [
    ...LOCAL_NAMES.map((dNSName) => new GeneralName({ dNSName })),
    ...PRIVATE_NETWORKS.map((iPAddress) => new GeneralName({ iPAddress })),
  ].map((base) => new GeneralSubtree({ base }));
  return AsnConvert.serialize(new NameConstraints({ permittedSubtrees: new GeneralSubtrees(permitted) }));
}

/** A certificate for this server, valid for all of its subjects. */
export async function issueCertificate(
  authority: KeptCertificate,
  { names, addresses }: Subjects,
  nowMs: number,
): Promise<KeptCertificate> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await newKeys();
  const signingKey = await crypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    ALGORITHM,
    false,
    ['sign'],
  );
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [{ CN: [(names[0] ?? addresses[0] ?? 'localhost').slice(0, COMMON_NAME_CHARS)] }],
    issuer: issuer.subject,
    notBefore: new Date(nowMs - BACKDATED_MS),
    notAfter: new Date(Math.min(nowMs + LEAF_DAYS * DAY_MS - BACKDATED_MS, issuer.notAfter.getTime())),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return kept(certificate, keys);
}

/** Positive and unique. */
function serial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function kept(certificate: x509.X509Certificate, keys: CryptoKeyPair): Promise<KeptCertificate> {
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}
