/** Standard Webhooks 1.0.0: receivers in four languages check what is sent. */
import { execFileSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isV3Event } from '../../contract/webhook-types.ts';
import { newV3Secret, shownSecret, signatureHeaders, standardSignature } from './sign.ts';

const BODY = Buffer.from(
  '{"type":"run.settled","timestamp":"2025-11-25T20:00:00Z","data":{"session_id":"vs_1"}}',
);
const VECTOR = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const secretOf = (secret: string, endsAt: number | null = null) => ({
  version: 1,
  secret,
  createdAt: 0,
  endsAt,
});
const call = { type: 'run.settled', transactionId: 'msg_1', body: BODY } as const;

it('the published vector', () => {
  const message = { id: 'msg_01HXYZ', atS: 1_764_100_800, body: BODY };
  expect(standardSignature(VECTOR, message)).toBe('v1,QOeIMu1zI/8/KxLXzo+piSMwng6/nBmr8EvmnYxsxPY=');
});

it('the library for Node accepts each call, with the newest secret and with the one before during a rotation', () => {
  const [next, old] = [newV3Secret('shared_secret'), newV3Secret('shared_secret')];
  const nowMs = Date.now();
  const headers = signatureHeaders(call, [secretOf(next), secretOf(old, nowMs + 1)], nowMs);
  for (const secret of [next, old])
    expect(new Webhook(secret).verify(BODY.toString(), headers)).toMatchObject({ type: 'run.settled' });
  const later = signatureHeaders(call, [secretOf(next), secretOf(old, nowMs)], nowMs);
  expect(() => new Webhook(old).verify(BODY.toString(), later)).toThrow('No matching signature');
  expect(later['webhook-signature']).not.toContain(' ');
});

it('the vendor’s signature is beside it, with the newest secret as text', () => {
  const secret = newV3Secret('shared_secret');
  expect(signatureHeaders(call, [secretOf(secret)], 0)['x-hub-signature-256']).toMatch(
    /^sha256=[0-9a-f]{64}$/,
  );
});

it('a call of v1 has the contract’s signature only', () => {
  const v1 = { ...call, type: 'USER_VERIFICATION_COMPLETED' } as const;
  expect(isV3Event(v1.type)).toBe(false);
  expect(Object.keys(signatureHeaders(v1, [secretOf('whsec_text')], 0))).toEqual(['x-hub-signature-256']);
});

describe('a key pair', () => {
  it('is verified with the public half that is shown, and shares no secret', () => {
    const secret = newV3Secret('key_pair');
    const nowMs = 1_764_100_800_999;
    const headers = signatureHeaders(call, [secretOf(secret)], nowMs);
    expect(headers['webhook-timestamp']).toBe('1764100800');
    expect(Object.keys(headers)).not.toContain('x-hub-signature-256');
    const [version, signature = ''] = (headers['webhook-signature'] ?? '').split(',');
    expect(version).toBe('v1a');
    const shown = shownSecret(secret);
    expect(shown).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(shown.slice('whpk_'.length), 'base64'),
    ]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const signed = Buffer.concat([Buffer.from('msg_1.1764100800.'), BODY]);
    expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
  });
});

const has = (program: string): boolean => {
  try {
    execFileSync(program, program === 'go' ? ['version'] : ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('strict decoders take every secret', () => {
  const secrets = Array.from({ length: 100 }, () => newV3Secret('shared_secret').slice('whsec_'.length));

  it('padded standard base64 of 32 bytes', () => {
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  it.skipIf(!has('python3'))('Python’s', () => {
    const program = `import base64, sys
for line in sys.stdin.read().split():
    assert len(base64.b64decode(line, validate=True)) == 32`;
    execFileSync('python3', ['-c', program], { input: secrets.join('\n') });
  });

  it.skipIf(!has('go'))(
    'Go’s',
    () => {
      const dir = mkdtempSync(path.join(tmpdir(), 'strict-'));
      const file = path.join(dir, 'main.go');
      writeFileSync(
        file,
        `package main

import (
	"bufio"
	"encoding/base64"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		key, err := base64.StdEncoding.Strict().DecodeString(lines.Text())
		if err != nil || len(key) != 32 {
			os.Exit(1)
		}
	}
}
`,
      );
      const env = {
        ...process.env,
        GOCACHE: path.join(dir, 'cache'),
        GOFLAGS: '-mod=mod',
        GOTOOLCHAIN: 'local',
      };
      execFileSync('go', ['run', file], { input: secrets.join('\n'), env });
    },
    120_000,
  );
});
