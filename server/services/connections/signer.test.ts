import { describe, expect, test } from 'vitest';
import { insertSigningKey } from '../../store/keys/signing-keys.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { createConnectSigner } from './signer.ts';

const open = async () => {
  const db = await openTempStore();
  return { db, signer: await createConnectSigner(db, testClock()) };
};

describe('the direct link’s t (decisions §4.4)', () => {
  test('is different each time, and valid for this session only', async () => {
    const { signer } = await open();
    const token = signer.mintDirectToken('vs_1');
    expect(token).not.toBe(signer.mintDirectToken('vs_1'));
    expect(signer.isDirectTokenOf('vs_1', token)).toBe(true);
    expect(signer.isDirectTokenOf('vs_2', token)).toBe(false);
  });

  test('is invalid if changed, truncated, respelled or made up', async () => {
    const { signer } = await open();
    const token = signer.mintDirectToken('vs_1');
    const flipped = token.slice(0, 20) + (token[20] === 'A' ? 'B' : 'A') + token.slice(21);
    for (const text of [
      flipped,
      token.slice(0, -1),
      `${token}=`,
      `${token} `,
      token.slice(3),
      'dt_',
      'dt_AQ',
      '',
    ])
      expect(signer.isDirectTokenOf('vs_1', text)).toBe(false);
  });

  test('from another installation is invalid', async () => {
    const [one, other] = [await open(), await open()];
    expect(other.signer.isDirectTokenOf('vs_1', one.signer.mintDirectToken('vs_1'))).toBe(false);
  });
});

describe('vy_token (decisions §4.3)', () => {
  test('is vt: and a UUID, the same each time and after a restart', async () => {
    const { db, signer } = await open();
    const [token] = signer.statusTokensOf('vs_1');
    expect(token).toMatch(/^vt:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(signer.statusTokensOf('vs_1')).toEqual([token]);
    expect((await createConnectSigner(db, testClock())).statusTokensOf('vs_1')).toEqual([token]);
    expect(signer.statusTokensOf('vs_2')).not.toEqual([token]);
  });

  test('a rotated key signs new links, and links signed with the old one stay valid', async () => {
    const { db, signer } = await open();
    const [token] = signer.statusTokensOf('vs_1');
    const direct = signer.mintDirectToken('vs_1');
    await db.tx((tx) =>
      insertSigningKey(tx, 'connect', { version: 2, secret: new Uint8Array(32).fill(1) }, NOW),
    );
    const rotated = await createConnectSigner(db, testClock());
    expect(rotated.statusTokensOf('vs_1')).toEqual([expect.not.stringContaining(token), token]);
    expect(rotated.isDirectTokenOf('vs_1', direct)).toBe(true);
  });
});
