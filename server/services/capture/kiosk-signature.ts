/**
 * Captures of paired kiosks (`capture.trust`). A kiosk creates a key when it is paired, which never leaves the device,
 * and signs every still with it. Neither a page in another browser nor pictures of an earlier capture can then pass as
 * the kiosk's. `docs/explanation/capture.md` specifies the exact bytes.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { CaptureRequest } from '../../contract/capture.ts';
import { findKioskOfRun } from '../../store/venue/kiosk-runs.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { newNonce } from '../ports/ids.ts';

/** The key whose signatures count in one capture, and the nonce that they must contain. */
export type CaptureSigner = { key: KeyObject; nonce: string };

/** The signed content: the request that the still answers, its number, and the JPEG's SHA-256 in lower-case hex. */
export type SignedStill = {
  request: Pick<CaptureRequest, 'id' | 'ask' | 'tint' | 'step'>;
  seq: number;
  sha256: string;
};

const COORDINATE_BYTES = 32;
const POINT_BYTES = 1 + 2 * COORDINATE_BYTES;
/** First byte of an uncompressed point. */
const UNCOMPRESSED = 4;

/** Null if the bytes are not a point of P-256. */
export function kioskKeyOf(point: Uint8Array): KeyObject | null {
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) return null;
  const coordinate = (at: number) =>
    Buffer.from(point.subarray(at, at + COORDINATE_BYTES)).toString('base64url');
  try {
    const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(1 + COORDINATE_BYTES) };
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}

/** Null if the session does not run at a kiosk with a key. Every capture has its own nonce. */
export async function captureSignerOf(
  db: SqlReader,
  session: Pick<Session, 'id' | 'scope' | 'device'>,
): Promise<CaptureSigner | null> {
  if (session.device !== 'kiosk') return null;
  const point = (await findKioskOfRun(db, session.scope, session.id))?.publicKey;
  const key = point && kioskKeyOf(point);
  return key ? { key, nonce: newNonce() } : null;
}

/** The text that a kiosk signs for one still. */
export const signedTextOf = (nonce: string, { request, seq, sha256 }: SignedStill): string =>
  [
    'gatehouse still 1',
    nonce,
    `${request.id} ${request.ask} ${request.tint ?? request.step ?? '-'}`,
    seq,
    sha256,
  ].join('\n');

/** @param signature ECDSA with SHA-256, r and s side by side, base64url */
export function isSignedByKiosk(
  { key, nonce }: CaptureSigner,
  still: SignedStill,
  signature: string | undefined,
): boolean {
  if (signature === undefined) return false;
  const bytes = Buffer.from(signature, 'base64url');
  return verify('sha256', Buffer.from(signedTextOf(nonce, still)), { key, dsaEncoding: 'ieee-p1363' }, bytes);
}
