/** Decisions §3.9: `vyt` is opaque, authenticated and under a key that can be rotated. */
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { parse as parseUuid } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../store/sql/port.ts';
import { insertSigningKey } from '../../store/keys/signing-keys.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { newId } from '../ports/ids.ts';
import { createResultTokens, rotateResultTokenKey } from './result-tokens.ts';

const PREFIX = 'vyt_';
const DAY_MS = 24 * 3_600_000;
const RUN = 'vs_run';

const open = async (db?: Database, clock = testClock()) =>
  createResultTokens(db ?? (await openTempStore()), clock);
const token = () => ({ passId: newId(NOW), mintedAt: NOW });
const bytesOf = (text: string) => Buffer.from(text.slice(PREFIX.length), 'base64url');
const rotate = (db: Database, clock = testClock()) =>
  rotateResultTokenKey(db, clock, { reason: 'yearly', actor: 'cli' });

/** The longest run of bytes that two texts share at the same position. */
function longestShared(a: Buffer, b: Buffer): number {
  let longest = 0;
  let current = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    current = a[i] === b[i] ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

describe('a token', () => {
  it('returns the pass and the time it was issued for', async () => {
    const tokens = await open();
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.integer({ min: 0, max: 2 ** 48 - 1 }), (passId, mintedAt) => {
        expect(tokens.verify(tokens.mint({ passId, mintedAt }, RUN))).toEqual({ passId, mintedAt });
      }),
    );
  });

  it('contains neither the pass id nor any time', async () => {
    const tokens = await open();
    const settledAt = NOW;
    const enrolledAt = NOW - 400 * DAY_MS;
    const passId = newId(enrolledAt);
    const bytes = bytesOf(tokens.mint({ passId, mintedAt: settledAt }, RUN));
    const id = Buffer.from(parseUuid(passId));
    for (let from = 0; from + 4 <= id.length; from++) {
      expect(bytes.includes(id.subarray(from, from + 4))).toBe(false);
    }
    for (const ms of [enrolledAt, settledAt]) {
      const time = Buffer.alloc(6);
      time.writeUIntBE(ms, 0, 6);
      expect(bytes.includes(time.subarray(0, 4))).toBe(false);
    }
  });

  it('does not reveal that another token belongs to the same pass', async () => {
    const tokens = await open();
    const of = token();
    const first = bytesOf(tokens.mint(of, 'vs_one'));
    const second = bytesOf(tokens.mint(of, 'vs_two'));
    // The first byte is the version of the key, the same for all tokens.
    expect(longestShared(first.subarray(1), second.subarray(1))).toBeLessThan(4);
  });

  it('is the same text each time the same run is read', async () => {
    const tokens = await open();
    const of = token();
    expect(tokens.mint(of, RUN)).toBe(tokens.mint(of, RUN));
  });

  it('never encrypts two results of one run under one nonce', async () => {
    const tokens = await open();
    const of = token();
    const nonceOf = (mintedAt: number) =>
      bytesOf(tokens.mint({ ...of, mintedAt }, RUN))
        .subarray(1, 13)
        .toString('hex');
    expect(nonceOf(NOW)).not.toBe(nonceOf(NOW + 1));
  });

  it('needs no escaping in an address', async () => {
    expect((await open()).mint(token(), RUN)).toMatch(/^vyt_[A-Za-z0-9_-]+$/);
  });

  it('of another installation is refused', async () => {
    const minted = (await open()).mint(token(), RUN);
    expect((await open()).verify(minted)).toBeNull();
  });
});

describe('a forged token is refused:', () => {
  it('one with any bit changed', async () => {
    const tokens = await open();
    const bytes = bytesOf(tokens.mint(token(), RUN));
    for (let i = 0; i < bytes.length; i++) {
      for (const bit of [0x01, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[i]! ^= bit;
        expect(tokens.verify(PREFIX + changed.toString('base64url'))).toBeNull();
      }
    }
  });

  it('one with any character changed', async () => {
    const tokens = await open();
    const minted = tokens.mint(token(), RUN);
    for (let i = 0; i < minted.length; i++) {
      for (const other of ['A', 'z', '_', '=', '%', ' ', 'é']) {
        if (minted[i] === other) continue;
        expect(tokens.verify(minted.slice(0, i) + other + minted.slice(i + 1))).toBeNull();
      }
    }
  });

  it('one that is shorter or longer', async () => {
    const tokens = await open();
    const minted = tokens.mint(token(), RUN);
    for (let end = 0; end < minted.length; end++) expect(tokens.verify(minted.slice(0, end))).toBeNull();
    for (const more of ['A', 'AAAA', '=', '\n', ' ', minted]) expect(tokens.verify(minted + more)).toBeNull();
    expect(tokens.verify(` ${minted}`)).toBeNull();
  });

  it('another spelling of the same bytes', async () => {
    const tokens = await open();
    const encoded = tokens.mint(token(), RUN).slice(PREFIX.length);
    const spellings = [
      Buffer.from(encoded, 'base64url').toString('base64'),
      `${encoded}=`,
      `${encoded}==`,
      `${encoded.slice(0, 8)}\n${encoded.slice(8)}`,
    ];
    for (const spelling of spellings) {
      if (spelling !== encoded) expect(tokens.verify(PREFIX + spelling)).toBeNull();
    }
  });

  it.each([
    '',
    'vyt_',
    'vyt',
    'x',
    'vyt_!!!!',
    '../../../etc',
    'vt:1',
    `vyt_${'A'.repeat(68)}`,
    `vyt_${'A'.repeat(74)}`,
    `vyt_${'A'.repeat(10_000)}`,
  ])('nonsense: %.20s', async (text) => {
    expect((await open()).verify(text)).toBeNull();
  });
});

describe('rotating the key', () => {
  it('reaches a running server, and tokens under the previous key stay valid', async () => {
    const db = await openTempStore();
    const tokens = await open(db);
    const of = token();
    const old = tokens.mint(of, RUN);
    expect(await rotate(db)).toBe(2);
    await tokens.reload();
    const fresh = tokens.mint(of, RUN);
    expect(fresh).not.toBe(old);
    expect(bytesOf(fresh)[0]).toBe(2);
    expect(tokens.verify(old)).toEqual(of);
    expect(tokens.verify(fresh)).toEqual(of);
    expect((await open(db)).verify(old)).toEqual(of);
  });

  it('makes the previous key useless for tokens dated after the rotation', async () => {
    const db = await openTempStore();
    const clock = testClock();
    const stolen = await open(db, clock);
    await rotate(db, clock);
    const forged = stolen.mint({ passId: newId(NOW), mintedAt: NOW + 3_600_000 }, RUN);
    expect((await open(db, clock)).verify(forged)).toBeNull();
  });

  it('leaves the previous key valid for at most 30 days', async () => {
    const db = await openTempStore();
    const clock = testClock();
    const old = (await open(db, clock)).mint(token(), RUN);
    await rotate(db, clock);
    const tokens = await open(db, clock);
    clock.advance(30 * DAY_MS - 1);
    expect(tokens.verify(old)).not.toBeNull();
    clock.advance(1);
    expect(tokens.verify(old)).toBeNull();
  });

  it('is recorded in the audit log with its reason', async () => {
    const db = await openTempStore();
    await open(db);
    await rotate(db);
    const entry = await db.one<{ actor: string; details: string }>(
      "SELECT actor, details FROM audit_entries WHERE action = 'result_token_key.rotate'",
    );
    expect(entry).toEqual({ actor: 'cli', details: '{"version":2,"reason":"yearly"}' });
  });

  it('twice at the same time makes two versions, in order', async () => {
    const db = await openTempStore();
    const tokens = await open(db);
    expect((await Promise.all([rotate(db), rotate(db)])).sort()).toEqual([2, 3]);
    await tokens.reload();
    expect(bytesOf(tokens.mint(token(), RUN))[0]).toBe(3);
  });

  it('is possible before the first start, too', async () => {
    const db = await openTempStore();
    expect(await rotate(db)).toBe(1);
    expect((await open(db)).verify((await open(db)).mint(token(), RUN))).not.toBeNull();
  });

  it('a restart keeps the key, and two servers that start at the same time agree on one', async () => {
    const db = await openTempStore();
    const [a, b] = await Promise.all([open(db), open(db)]);
    const minted = a.mint(token(), RUN);
    expect(b.verify(minted)).not.toBeNull();
    expect((await open(db)).verify(minted)).not.toBeNull();
  });
});

describe('tokens of the format before encryption', () => {
  const secret = randomBytes(32);
  const signed = ({ passId, mintedAt }: { passId: string; mintedAt: number }, version = 1) => {
    const payload = Buffer.alloc(23);
    payload.writeUInt8(version, 0);
    payload.set(parseUuid(passId), 1);
    payload.writeUIntBE(mintedAt, 17, 6);
    return (
      PREFIX +
      Buffer.concat([payload, createHmac('sha256', secret).update(payload).digest()]).toString('base64url')
    );
  };
  /** A database of an earlier version, updated at `NOW`. */
  async function updated() {
    const db = await openTempStore();
    const clock = testClock();
    await db.tx((tx) => insertSigningKey(tx, 'vyt', { version: 1, secret }, NOW - DAY_MS));
    return { clock, tokens: await open(db, clock) };
  }

  it('are still read after the update', async () => {
    const { tokens } = await updated();
    const of = { passId: newId(NOW - DAY_MS), mintedAt: NOW - 60_000 };
    expect(tokens.verify(signed(of))).toEqual(of);
  });

  it('are refused if they were changed, or dated after the update', async () => {
    const { tokens } = await updated();
    const of = { passId: newId(NOW), mintedAt: NOW - 60_000 };
    const bytes = bytesOf(signed(of));
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(tokens.verify(PREFIX + changed.toString('base64url'))).toBeNull();
    }
    expect(tokens.verify(signed({ ...of, mintedAt: NOW + 3_600_000 }))).toBeNull();
  });

  it('expire 30 days later', async () => {
    const { tokens, clock } = await updated();
    clock.advance(30 * DAY_MS);
    expect(tokens.verify(signed({ passId: newId(NOW), mintedAt: NOW - 1 }))).toBeNull();
  });

  it('are never read by an installation that never issued one', async () => {
    expect((await open()).verify(signed(token()))).toBeNull();
  });
});
