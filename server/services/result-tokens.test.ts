/** Decisions §3.9: `vyt` is signed by the server, under a key that has a version. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOW } from '../testing/rows.ts';
import { testClock } from '../testing/temp-service.ts';
import { openTempStore } from '../testing/temp-store.ts';
import type { Database } from '../store/port.ts';
import { insertSigningKey } from '../store/signing-keys.ts';
import { newId } from './ids.ts';
import { createResultTokens } from './result-tokens.ts';

const PREFIX = 'vyt_';
const open = async (db?: Database) => createResultTokens(db ?? (await openTempStore()), testClock());
const token = () => ({ passId: newId(NOW), mintedAt: NOW });

describe('a token', () => {
  it('gives back what it was minted of, whatever the pass and the time', async () => {
    const tokens = await open();
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (passId, mintedAt) => {
        expect(tokens.verify(tokens.mint({ passId, mintedAt }))).toEqual({ passId, mintedAt });
      }),
    );
  });

  it('is of characters that need no escaping in an address', async () => {
    expect((await open()).mint(token())).toMatch(/^vyt_[A-Za-z0-9_-]+$/);
  });

  it('does not carry the secret of another installation', async () => {
    const minted = (await open()).mint(token());
    expect((await open()).verify(minted)).toBeNull();
  });
});

describe('a token that was changed', () => {
  it('in any one byte is refused', async () => {
    const tokens = await open();
    const minted = tokens.mint(token());
    const bytes = Buffer.from(minted.slice(PREFIX.length), 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      for (const bit of [0x01, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[i]! ^= bit;
        expect(tokens.verify(PREFIX + changed.toString('base64url'))).toBeNull();
      }
    }
  });

  it('in any one character is refused', async () => {
    const tokens = await open();
    const minted = tokens.mint(token());
    for (let i = 0; i < minted.length; i++) {
      for (const other of ['A', 'z', '_', '=', '%', ' ', 'é']) {
        if (minted[i] === other) continue;
        expect(tokens.verify(minted.slice(0, i) + other + minted.slice(i + 1))).toBeNull();
      }
    }
  });

  it('in its length is refused', async () => {
    const tokens = await open();
    const minted = tokens.mint(token());
    for (let end = 0; end < minted.length; end++) expect(tokens.verify(minted.slice(0, end))).toBeNull();
    for (const more of ['A', '=', '\n', ' ', minted]) expect(tokens.verify(minted + more)).toBeNull();
    expect(tokens.verify(` ${minted}`)).toBeNull();
  });

  it('into another spelling of the same bytes is refused', async () => {
    const tokens = await open();
    const minted = tokens.mint(token());
    const encoded = minted.slice(PREFIX.length);
    const bytes = Buffer.from(encoded, 'base64url');
    const spellings = [
      bytes.toString('base64'),
      `${encoded}=`,
      `${encoded}==`,
      `${encoded.slice(0, 8)}\n${encoded.slice(8)}`,
    ];
    for (const spelling of spellings) {
      if (spelling !== encoded) expect(tokens.verify(PREFIX + spelling)).toBeNull();
    }
  });

  it.each(['', 'vyt_', 'vyt', 'x', 'vyt_!!!!', '../../etc', 'vt:1', `vyt_${'A'.repeat(10_000)}`])(
    'beyond recognition is refused: %.20s',
    async (text) => {
      expect((await open()).verify(text)).toBeNull();
    },
  );
});

describe('rotation of the signing key', () => {
  it('the newest version signs, and both verify', async () => {
    const db = await openTempStore();
    const before = await open(db);
    const old = before.mint(token());
    await db.tx((tx) => insertSigningKey(tx, 'vyt', { version: 2, secret: new Uint8Array(32).fill(9) }, NOW));
    const after = await open(db);
    const fresh = after.mint(token());
    expect(after.verify(old)).not.toBeNull();
    expect(after.verify(fresh)).not.toBeNull();
    expect(Buffer.from(fresh.slice(PREFIX.length), 'base64url')[0]).toBe(2);
    expect(before.verify(fresh)).toBeNull();
  });

  it('a key of another purpose signs nothing', async () => {
    const db = await openTempStore();
    await db.tx((tx) => insertSigningKey(tx, 'other', { version: 9, secret: new Uint8Array(32) }, NOW));
    const minted = (await open(db)).mint(token());
    expect(Buffer.from(minted.slice(PREFIX.length), 'base64url')[0]).toBe(1);
  });

  it('a restart keeps the key', async () => {
    const db = await openTempStore();
    const minted = (await open(db)).mint(token());
    expect((await open(db)).verify(minted)).not.toBeNull();
  });

  it('two that start at once agree on one key', async () => {
    const db = await openTempStore();
    const [a, b] = await Promise.all([open(db), open(db)]);
    expect(b.verify(a.mint(token()))).not.toBeNull();
  });
});
