import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../testing/postgres/lease.ts';
import { testKeys } from '../../../testing/postgres/server.ts';
import { onSqlite, tempDir } from '../../../testing/store/temp-store.ts';
import { findCode, seedSecrets } from '../../../testing/store/secret-rows.ts';
import { insertTemplate, listTemplatesOf } from '../matching/templates.ts';
import { appendAudit, verifyAudit } from '../operators/audit.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { findOperator, setPinHash } from '../operators/operators.ts';
import { findSignInFailures, listSignInFailures, saveSignInFailures } from '../operators/sign-in-failures.ts';
import { addHit, countHits } from '../rate-limits/hits.ts';
import { listInvites } from '../runs/invites.ts';
import { findSession } from '../runs/sessions.ts';
import { continueSealing, keysInUse, readSealing, reseal, retireOtherKeys } from './key-rotation.ts';
import type { Database, SqlTx } from './port.ts';
import { openPostgres } from './postgres/driver.ts';
import { SQLITE_FUNCTIONS, toPostgresSchema } from './postgres/dialect.ts';
import { readSetting, writeSetting } from '../settings.ts';
import { PRIMARY_KEYS, SEALED, SEALED_LATER, type SealedColumn } from './sealed-columns.ts';
import { createKeyRing, createSecrets, readKeyRing, UNSEALED } from './secrets.ts';

const SCOPE = { companyId: 'acme', partition: 'live' } as const;
const TEMPLATE = { personId: 'zoe', passId: 'p1', model: 'm' };
const [ours, newer] = [randomBytes(32), randomBytes(32)];
const { seal, open } = createSecrets(createKeyRing([ours]));

describe('a sealed value', () => {
  it.each([
    ['text', 'Zoë 🎟'],
    ['bytes', Buffer.from([0, 1, 255])],
    ['nothing', null],
  ])('of %s opens in its own row', (_, value) => {
    expect(open('phone_codes.code', ['a'], seal('phone_codes.code', ['a'], value))).toEqual(value);
  });

  it.each([
    ['in another row', 'phone_codes.code', ['b']],
    ['in another column', 'second_factors.secret', ['a']],
  ] as const)('does not open %s', (_, column, row) => {
    expect(() => open(column, row, seal('phone_codes.code', ['a'], '123456'))).toThrow('cannot be decrypted');
  });

  it('does not open after it was changed, and plain text is refused', () => {
    const sealed = seal('templates.vector', ['p', 'q'], new Uint8Array(8));
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => open('templates.vector', ['p', 'q'], sealed)).toThrow('cannot be decrypted');
    expect(() => open('phone_codes.code', ['a'], '123456')).toThrow('cannot be decrypted');
  });

  it('of an invite leaves the searched fields readable', () => {
    const request = JSON.stringify({ externalId: 'guest-1', metadata: { name: 'Zoë' } });
    const sealed = seal('invites.request', ['i'], request);
    expect(JSON.parse(sealed)).toMatchObject({ externalId: 'guest-1' });
    expect(sealed).not.toContain('Zoë');
    expect(open('invites.request', ['i'], sealed)).toBe(request);
  });

  it('is the value itself on SQLite, whose whole file is encrypted', () => {
    expect(UNSEALED.seal('phone_codes.code', ['a'], '123456')).toBe('123456');
  });
});

describe('the keys', () => {
  const file = (text: string, mode = 0o600) => {
    const name = path.join(tempDir(), 'keys');
    writeFileSync(name, text);
    chmodSync(name, mode);
    return name;
  };

  it.each([
    ['a file', (text: string) => ({ file: file(text) })],
    ['a command', (text: string) => ({ command: `cat ${file(text)}` })],
  ])('of %s: the first seals and all open', async (_, sourceOf) => {
    const ring = await readKeyRing(sourceOf(`${newer.toString('hex')}\n${ours.toString('hex')}\n`));
    expect(createSecrets(ring).open('phone_codes.code', ['a'], seal('phone_codes.code', ['a'], '1'))).toBe(
      '1',
    );
    expect(ring.current).toBe(createKeyRing([newer]).current);
  });

  it.each([
    ['is missing', () => '/nowhere/keys', 'cannot be read'],
    ['is empty', () => file('\n'), 'one key per line'],
    ['has a damaged line', () => file(`${'a'.repeat(64)}\nabc\n`), 'one key per line'],
    ['can be read by everyone', () => file('a'.repeat(64), 0o644), 'chmod 600'],
  ])('of a file that %s are refused in words', async (_, name, words) => {
    await expect(readKeyRing({ file: name() })).rejects.toThrow(words);
  });

  it('of a command that hangs are refused', async () => {
    await expect(readKeyRing({ command: 'sleep 60' }, 10)).rejects.toThrow('did not end within');
  });

  it.each([
    ['fails', `echo ${'ab'.repeat(32)}; echo hush >&2; exit 3`, 'failed (3)'],
    ['prints something else', 'echo hush', 'must print one key per line'],
  ])('of a command that %s are refused without its output', async (_, command, words) => {
    const error = await readKeyRing({ command }).catch((refusal: unknown) => refusal);
    expect(String(error)).toContain(words);
    expect(inspect(error)).not.toMatch(/hush|abab/);
  });
});

describe.skipIf(onSqlite)('on PostgreSQL', () => {
  async function openWith(url: string, keys = testKeys): Promise<Database> {
    const db = await openPostgres({ url, keys, poolSize: 4 });
    onTestFinished(() => db.close());
    return db;
  }

  /** What someone reads who has the database but not the key. */
  async function raw(url: string): Promise<(sql: string) => Promise<Record<string, unknown>[]>> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    return async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
  }

  async function rawValues(url: string): Promise<Map<SealedColumn, string>> {
    const read = await raw(url);
    const values = new Map<SealedColumn, string>();
    for (const column of Object.keys(SEALED) as SealedColumn[]) {
      const [table, name] = column.split('.');
      const [row] = await read(`SELECT ${name} AS value FROM ${table} WHERE ${name} IS NOT NULL`);
      const value = row?.['value'];
      values.set(column, Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
    }
    return values;
  }

  it('no secret column contains its plain text', async () => {
    const url = await leaseDatabase(tempDir());
    const plain = await seedSecrets(await openWith(url));
    const stored = await rawValues(url);
    expect([...plain.keys()].sort()).toEqual(Object.keys(SEALED).sort());
    for (const [column, text] of plain) {
      expect(stored.get(column), column).toContain('gh1');
      expect(stored.get(column), column).not.toContain(text);
    }
  });

  it('a value that was moved to another row is refused when it is read', async () => {
    const url = await leaseDatabase(tempDir());
    const db = await openWith(url);
    await seedSecrets(db);
    await (
      await raw(url)
    )(`UPDATE phone_codes SET code = (SELECT secret FROM webhook_secrets)`);
    await expect(findCode(db)).rejects.toMatchObject({ code: 'database_damaged' });
  });

  it('a database whose key is not in the file is refused, and the words name the key', async () => {
    const url = await leaseDatabase(tempDir());
    await (await openWith(url)).close();
    const wrong = openPostgres({ url, keys: createKeyRing([newer]) });
    await expect(wrong).rejects.toMatchObject({
      code: 'database_key_missing',
      message: expect.stringContaining(testKeys.current) as string,
    });
  });

  it('an existing database is sealed at start-up', async () => {
    const url = await leaseDatabase(tempDir());
    await openWith(url);
    const change = await raw(url);
    await change('DELETE FROM secret_keys');
    await change(`INSERT INTO phone_codes (id, number, code, sent_at, expires_at, tries_left, delivery)
      VALUES ('c', '+4915100000000', '123456', 1, 2, 3, 'none')`);
    const db = await openWith(url);
    expect((await rawValues(url)).get('phone_codes.code')).not.toContain('123456');
    expect(await findCode(db)).toBe('123456');
  });

  it('a node that has the new key last and one that has it first read each other’s values', async () => {
    const url = await leaseDatabase(tempDir());
    const [first, last] = [
      await openWith(url, createKeyRing([newer, ...testKeys.keys.values()])),
      await openWith(url, createKeyRing([...testKeys.keys.values(), newer])),
    ];
    for (const [writer, reader] of [
      [first, last],
      [last, first],
    ] as const) {
      await writer.tx((tx) => writeSetting(tx, 'retention', writer.secrets.keyIds));
      expect(await readSetting(reader, 'retention')).toEqual(writer.secrets.keyIds);
    }
  });

  it.each([28, 29])('a database of schema %i is upgraded, and its audit log continues', async (version) => {
    const url = await leaseDatabase(tempDir());
    const change = await raw(url);
    await change(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${SQLITE_FUNCTIONS};
      CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (${version})`);
    for (const { sql } of MIGRATIONS.filter((each) => each.version <= version))
      await change(toPostgresSchema(sql));
    if (version === 29) await change(`INSERT INTO secret_keys VALUES ('${testKeys.current}')`);
    const first = [1, 'system', 'key.roll', null, null, 'x', '{}'];
    const hash = createHash('sha256').update(Buffer.alloc(32)).update(JSON.stringify(first)).digest('hex');
    await change(`INSERT INTO audit_entries (at, actor, action, subject, details, previous_hash, hash)
      VALUES (1, 'system', 'key.roll', 'x', '{}', '\\x${'00'.repeat(32)}', '\\x${hash}')`);
    const db = await openWith(url);
    await db.tx((tx) => appendAudit(tx, { at: 2, actor: 'system', action: 'key.roll', subject: 'y' }));
    expect(await verifyAudit(db)).toEqual({ entries: 2, brokenAt: null });
    expect(await change('SELECT value FROM settings')).toEqual([
      { value: expect.stringContaining('gh1.') as string },
    ]);
  });

  it('an interrupted rotation is continued, and ends with only the new key', async () => {
    const url = await leaseDatabase(tempDir());
    await seedSecrets(await openWith(url));
    const both = createKeyRing([newer, ...testKeys.keys.values()]);
    const db = await openWith(url, both);
    const interrupted = reseal(db, (column) => {
      if (column === 'phone_codes.code') throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await keysInUse(db)).toHaveLength(2);
    const left = await reseal(db);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(Object.keys(SEALED).length);
    await db.tx((tx) => retireOtherKeys(tx));
    expect(await findCode(await openWith(url, createKeyRing([newer])))).toBe('123456');
  });

  it('rotation seals every template, including those that share person and pass across two pages', async () => {
    const url = await leaseDatabase(tempDir());
    const old = await openWith(url);
    await seedSecrets(old);
    const enrol = (tx: SqlTx) =>
      insertTemplate(tx, SCOPE, { ...TEMPLATE, vector: new Float32Array(16), quality: 1, at: 1 });
    // More than two pages, all identified by one person and one pass.
    await old.tx(async (tx) => {
      for (let n = 0; n < 450; n += 1) await enrol(tx);
    });
    const both = createKeyRing([newer, ...testKeys.keys.values()]);
    const db = await openWith(url, both);
    await reseal(db);
    await old.tx(enrol);
    await expect(db.tx((tx) => retireOtherKeys(tx))).rejects.toThrow('templates.vector still contains');
    expect(await reseal(db)).toBe(1);
    await db.tx((tx) => retireOtherKeys(tx));
    const read = await openWith(url, createKeyRing([newer]));
    expect(await listTemplatesOf(read, SCOPE, 'm', 'zoe')).toHaveLength(452);
  });

  it('columns that were sealed later stay readable for older nodes, and are sealed once those are gone', async () => {
    const url = await leaseDatabase(tempDir());
    const change = await raw(url);
    await (await openWith(url)).close();
    await change('UPDATE schema_version SET sealing = 0');
    const [db, other] = [await openWith(url), await openWith(url)];
    const plain = await seedSecrets(db);
    const later = [...plain].filter(([column]) => SEALED_LATER.has(column));
    const readable = async () => {
      const stored = await rawValues(url);
      return later.filter(([column, text]) => stored.get(column)?.includes(text)).map(([column]) => column);
    };
    expect(await readable()).toHaveLength(SEALED_LATER.size);
    expect(await continueSealing(db, async () => true)).toBe(false);
    expect(db.secrets.sealing.stage).toBe('plain');
    await reseal(db);
    await db.tx((tx) => retireOtherKeys(tx));

    expect(await continueSealing(db, async () => false)).toBe(false);
    expect(await readSealing(other)).toBe('begun');
    await other.tx((tx) => setPinHash(tx, 'o1', '$argon2id$pin'));
    expect(await readable()).not.toContain('operators.pin_hash');
    expect((await findSession(db, 's1'))?.request.redirectUrl).toBe('https://shop.example/zoe-back');
    expect(await continueSealing(db, async () => false)).toBe(false);

    await change('UPDATE schema_version SET sealing_since = 0');
    expect(await continueSealing(db, async () => false)).toBe(true);
    expect(await readable()).toEqual([]);
    expect(await readSealing(other)).toBe('complete');
    expect(await findOperator(other, 'o1')).toMatchObject({
      passphraseHash: '$argon2id$passphrase',
      pinHash: '$argon2id$pin',
    });
    expect((await listInvites(other, 'acme'))[0]?.request).toMatchObject({
      passParams: { who: 'Zoe Invite' },
      redirectUrl: 'https://shop.example/Zoe Invite',
    });
    await change(`UPDATE sessions SET redirect_url = 'https://evil.example/'`);
    await expect(findSession(other, 's1')).rejects.toMatchObject({ code: 'database_damaged' });
  });

  it('a new database seals all columns from the start', async () => {
    expect((await openWith(await leaseDatabase(tempDir()))).secrets.sealing.stage).toBe('complete');
  });

  it('addresses, numbers and names that are counted cannot be tried out without the key', async () => {
    const url = await leaseDatabase(tempDir());
    const db = await openWith(url);
    const subject = createHash('sha256').update('sessions:203.0.113.7').digest();
    await db.tx(async (tx) => {
      await addHit(tx, subject, 1_000);
      const count = { failedAttempts: 1, lockRounds: 0, lockedUntil: null };
      await saveSignInFailures(tx, { key: subject, subject }, count, 1);
    });
    const read = await raw(url);
    const stored = [
      ...(await read('SELECT subject AS value FROM rate_hits')),
      ...(await read('SELECT name_hash AS value FROM sign_in_failures')),
      ...(await read('SELECT subject AS value FROM sign_in_failures')),
    ];
    expect(stored).toHaveLength(3);
    for (const { value } of stored) expect(subject.equals(value as Buffer)).toBe(false);
    expect(await countHits(db, subject, { after: 0, until: 2_000 })).toBe(1);
    expect(await findSignInFailures(db, subject)).toMatchObject({ failedAttempts: 1 });
    expect(await listSignInFailures(db, subject)).toHaveLength(1);
  });

  it('rotation pages each table by its primary key', async () => {
    const read = await raw(await leaseDatabase(tempDir()));
    for (const column of Object.keys(SEALED) as SealedColumn[]) {
      const [table = ''] = column.split('.');
      const key = await read(`SELECT a.attname AS name FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
        WHERE i.indrelid = '${table}'::regclass AND i.indisprimary`);
      const names = key.map(({ name }) => name).toSorted();
      expect([...(PRIMARY_KEYS[table] ?? SEALED[column])].toSorted(), table).toEqual(names);
    }
  });
});
