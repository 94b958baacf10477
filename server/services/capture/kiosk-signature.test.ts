/** Which stills count as signed by a paired kiosk. */
import { describe, expect, it } from 'vitest';
import { kioskKeyOf, isSignedByKiosk, type SignedStill, signedTextOf } from './kiosk-signature.ts';

const STILL: SignedStill = {
  request: { id: 3, ask: 'step', step: 'turn_left' },
  seq: 4,
  sha256: 'ab'.repeat(32),
};

/** As in the kiosk's page: WebCrypto, not extractable. */
async function device() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const sign = async (text: string) =>
    Buffer.from(
      await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, Buffer.from(text)),
    ).toString('base64url');
  const key = kioskKeyOf(point);
  if (!key) throw new Error('The key was not read.');
  return { key, sign };
}

describe('a still counts as the kiosk’s', () => {
  it('if it was signed for this capture, request, number and picture, and in no other case', async () => {
    const { key, sign } = await device();
    const signature = await sign(signedTextOf('nonce', STILL));
    const counts = (still: Partial<SignedStill>, nonce = 'nonce') =>
      isSignedByKiosk({ key, nonce }, { ...STILL, ...still }, signature);
    expect(counts({})).toBe(true);
    expect(counts({}, 'another')).toBe(false);
    expect(counts({ seq: 5 })).toBe(false);
    expect(counts({ sha256: 'cd'.repeat(32) })).toBe(false);
    expect(counts({ request: { ...STILL.request, id: 4 } })).toBe(false);
    expect(counts({ request: { ...STILL.request, step: 'turn_right' } })).toBe(false);
  });

  it('not with another device’s signature, a broken one, or none', async () => {
    const { key } = await device();
    const other = await (await device()).sign(signedTextOf('nonce', STILL));
    for (const signature of [other, 'A'.repeat(86), 'A', '', undefined]) {
      expect(isSignedByKiosk({ key, nonce: 'nonce' }, STILL, signature)).toBe(false);
    }
  });
});

it.each([
  ['nothing', new Uint8Array(0)],
  ['a compressed point', new Uint8Array(33).fill(2)],
  ['a point that is not on the curve', new Uint8Array(65).fill(4)],
])('%s is not a key', (_title, point) => {
  expect(kioskKeyOf(point)).toBeNull();
});
