/**
 * Tests of the port that are specific to PostgreSQL; everything else is tested with the store and the services, on
 * both engines.
 */
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../../testing/postgres/lease.ts';
import { administer, testKeys, testUrl } from '../../../../testing/postgres/server.ts';
import { onSqlite, openTempStore, tempDir } from '../../../../testing/store/temp-store.ts';
import { SCHEMA_VERSION } from '../../schema/migrations.ts';
import type { Database, SqlTx } from '../port.ts';
import { openPostgres } from './driver.ts';
import { sharePostgres } from './node.ts';
import { toPostgres } from './dialect.ts';

const insert = (tx: Pick<SqlTx, 'run'>, id: string) =>
  tx.run('INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, 1, 1)', id, id);
const ids = async (db: Database) =>
  (await db.all<{ id: string }>('SELECT id FROM companies ORDER BY id')).map(({ id }) => id);

it('numbers placeholders and quotes names with capitals, but not in texts, quoted names and comments', () => {
  expect(
    toPostgres(`SELECT a AS ownName, '?isText', "isQuoted?" FROM t -- isComment?\n WHERE b = ? AND c = ?`),
  ).toBe(`SELECT a AS "ownName", '?isText', "isQuoted?" FROM t -- isComment?\n WHERE b = $1 AND c = $2`);
});

it('locks the rows of a claim, which SQLite reads as a comment', () => {
  expect(toPostgres(`SELECT 1 /* FOR UPDATE SKIP LOCKED */, '/* FOR UPDATE SKIP LOCKED */' /* why? */`)).toBe(
    `SELECT 1 FOR UPDATE SKIP LOCKED, '/* FOR UPDATE SKIP LOCKED */' /* why? */`,
  );
});

describe.skipIf(onSqlite)('on PostgreSQL', () => {
  async function lease(): Promise<string> {
    return leaseDatabase(tempDir());
  }
  async function open(url: string): Promise<Database> {
    const db = await openPostgres({ url, keys: testKeys, poolSize: 4 });
    onTestFinished(() => db.close());
    return db;
  }
  const endOf = (application: string) =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = '${application}'`;
  it('keeps every character of a text, including NUL and its replacement', async () => {
    const db = await openTempStore();
    const name = 'a\0b\u{f8ff}0c\u{f8ff}\0';
    await db.tx((tx) => insert(tx, name));
    expect(await ids(db)).toEqual([name]);
    expect(await db.one('SELECT 1 AS found FROM companies WHERE name = ?', name)).toEqual({ found: 1 });
  });

  it.each(['LATIN1', 'SQL_ASCII'])(
    'refuses a database in %s before anything is made in it',
    async (encoding) => {
      const name = `gatehouse_${process.pid}_${encoding.toLowerCase()}`;
      const socket = inject('postgresFolder');
      await administer(
        testUrl(socket, 'postgres'),
        `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`,
      );
      onTestFinished(async () => {
        await administer(testUrl(socket, 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
      });
      const url = testUrl(socket, name);
      const opening = openPostgres({ url, keys: testKeys });
      await expect(opening).rejects.toMatchObject({ code: 'database_encoding' });
      await expect(opening).rejects.toThrow(`has the encoding ${encoding}`);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
      await client.end();
      expect(rows).toEqual([]);
    },
  );

  it('sorts text by code point, whatever the collation of the database', async () => {
    const db = await openTempStore();
    for (const id of ['b', 'B', 'a', 'Á']) await db.tx((tx) => insert(tx, id));
    expect(await ids(db)).toEqual(['B', 'a', 'b', 'Á']);
  });

  it('reports a transaction that continued after a failed statement instead of losing it', async () => {
    const db = await openTempStore();
    const lost = db.tx(async (tx) => {
      await insert(tx, 'a');
      await tx.run('SELECT nonsense').catch(() => undefined);
    });
    await expect(lost).rejects.toThrow('nothing was changed');
    expect(await ids(db)).toEqual([]);
  });

  it('reconnects after PostgreSQL has ended every connection', async () => {
    const url = await lease();
    const db = await open(url);
    await Promise.all([ids(db), ids(db), db.tx((tx) => insert(tx, 'a'))]);
    await administer(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await db.tx((tx) => insert(tx, 'b'));
    expect(await ids(db)).toEqual(['a', 'b']);
  });

  it('finishes what it has begun before it closes, and begins nothing more', async () => {
    const url = await lease();
    const db = await open(url);
    const many = Promise.all(Array.from({ length: 20 }, (_, n) => db.tx((tx) => insert(tx, `c${n}`))));
    await db.close();
    await many;
    await expect(ids(db)).rejects.toThrow('closed');
    expect(await ids(await open(url))).toHaveLength(20);
  });

  it('retries a transaction that was ended by a deadlock', async () => {
    const db = await open(await lease());
    for (const id of ['a', 'b']) await db.tx((tx) => insert(tx, id));
    const both = Promise.withResolvers<undefined>();
    let arrived = 0;
    const touch = (first: string, second: string) =>
      db.tx(
        async (tx) => {
          await tx.run('UPDATE companies SET daily_limit = daily_limit + 1 WHERE id = ?', first);
          if (++arrived === 2) both.resolve(undefined);
          await both.promise;
          await tx.run('UPDATE companies SET daily_limit = daily_limit + 1 WHERE id = ?', second);
        },
        { companyId: first },
        'may-wait',
      );
    await Promise.all([touch('a', 'b'), touch('b', 'a')]);
    expect(await db.all('SELECT daily_limit AS n FROM companies')).toEqual([{ n: 3 }, { n: 3 }]);
  });

  describe('the lock of a transaction', () => {
    /** Whether both are inside at the same time. */
    async function meet(
      db: Database,
      locks: readonly [Parameters<Database['tx']>[1], Parameters<Database['tx']>[1]],
    ) {
      const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      let isSecondIn = false;
      const running = db.tx(
        async (tx) => {
          await tx.one('SELECT 1');
          first.resolve(undefined);
          await second.promise;
        },
        locks[0],
        'may-wait',
      );
      await first.promise;
      const other = db.tx(async (tx) => {
        await tx.one('SELECT 1');
        isSecondIn = true;
      }, locks[1]);
      const waits = `SELECT COUNT(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      await expect.poll(async () => isSecondIn || (await db.one<{ n: number }>(waits))?.n === 1).toBe(true);
      const met = isSecondIn;
      second.resolve(undefined);
      await Promise.all([running, other]);
      return met;
    }

    it.each([
      ['without one, the installation’s: nobody beside it', [undefined, { companyId: 'a' }], false],
      ['of one company, in turn', [{ companyId: 'a' }, { companyId: 'a' }], false],
      ['of two companies, at once', [{ companyId: 'a' }, { companyId: 'b' }], true],
      [
        'of two companies and one further key, in turn',
        [
          { companyId: 'a', keys: ['number'] },
          { companyId: 'b', keys: ['number'] },
        ],
        false,
      ],
    ] as const)('%s', async (_, locks, met) => {
      expect(await meet(await open(await lease()), locks)).toBe(met);
    });
  });

  it('refuses a transaction inside another one, whose locks would be out of order', async () => {
    const db = await openTempStore();
    const nested = db.tx(() => db.tx((tx) => insert(tx, 'a')), { companyId: 'a' });
    await expect(nested).rejects.toThrow('inside another one');
    await db.tx((tx) => insert(tx, 'b'));
    expect(await ids(db)).toEqual(['b']);
  });

  describe('followers', () => {
    const subjectOf = (message: string) => /"subject":"([^"]+)"/.exec(message)?.[1];
    /** What a node receives while another one announces a session. */
    async function hear(url: string) {
      const [teller, listener] = [await open(url), await open(url)];
      const heard: string[] = [];
      for (const id of ['s', 'other']) listener.follow('session', () => void heard.push(id), id);
      const announce = () => teller.tx(async (tx) => tx.afterCommit('session', 's'), { companyId: null });
      // Repeated until it is received, because the other node may not be listening yet.
      const heardNow = async () => {
        await announce();
        return heard;
      };
      return { heard, heardNow };
    }

    it('on every node are called after a commit of one, by a message without the ID', async () => {
      const url = await lease();
      const db = await open(url);
      const messages: string[] = [];
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      onTestFinished(() => client.end());
      client.on('notification', ({ payload }) => messages.push(payload ?? ''));
      await client.query('LISTEN gatehouse');
      const { heardNow } = await hear(url);
      await expect.poll(heardNow).toContain('s');
      await db.tx(async (tx) => tx.afterCommit('session', 'link-of-a-guest'));
      await db.close();
      await expect.poll(() => new Set(messages.map(subjectOf)).size).toBe(2);
      expect(messages.join()).not.toContain('link-of-a-guest');
    });

    it('ignore messages that they do not understand, and receive everything afterwards', async () => {
      const url = await lease();
      const { heard, heardNow } = await hear(url);
      await expect.poll(heardNow).toContain('s');
      for (const message of ['', '{}', '["x",[{"topic":"of a newer version","subject":"s"}]]'])
        await administer(url, `NOTIFY gatehouse, '${message}'`);
      const before = heard.length;
      await expect.poll(async () => (await heardNow()).length).toBeGreaterThan(before);
      expect(new Set(heard)).toEqual(new Set(['s']));
    });

    it('are all called after an interruption, whatever they follow', async () => {
      const url = await lease();
      const { heard, heardNow } = await hear(url);
      await expect.poll(heardNow).toContain('s');
      await administer(url, endOf('gatehouse events'));
      await expect.poll(() => heard).toContain('other');
    });
  });

  describe('the leader', () => {
    it('is the first node, and then the next one when it has ended', async () => {
      const url = await lease();
      const first = await sharePostgres(url, async () => undefined);
      const second = await sharePostgres(url, async () => undefined);
      expect([first.isLeader(), second.isLeader()]).toEqual([true, false]);
      await first.release();
      await expect.poll(() => second.isLeader()).toBe(true);
      await second.release();
    });

    it('is another node once the first one has resigned', async () => {
      const url = await lease();
      const nodes = [
        await sharePostgres(url, async () => undefined),
        await sharePostgres(url, async () => undefined),
      ];
      await nodes[0]?.resign();
      await expect
        .poll(() => nodes.map((node) => node.isLeader()), { timeout: 10_000 })
        .toEqual([false, true]);
      for (const node of nodes) await node.release();
    });

    it('is one node again after every connection broke', async () => {
      const url = await lease();
      const nodes = [
        await sharePostgres(url, async () => undefined),
        await sharePostgres(url, async () => undefined),
      ];
      const leaders = () => nodes.filter((node) => node.isLeader()).length;
      const db = await open(url);
      const connections = async () => {
        const of = `WHERE datname = current_database() AND application_name = 'gatehouse node'`;
        const rows = await db.all<{ pid: number }>(`SELECT pid FROM pg_stat_activity ${of}`);
        return rows.map(({ pid }) => pid);
      };
      const broken = await connections();
      await administer(url, endOf('gatehouse node'));
      const areNew = async () => {
        const now = await connections();
        return now.length === 2 && now.every((pid) => !broken.includes(pid));
      };
      await expect.poll(areNew).toBe(true);
      await expect.poll(leaders).toBe(1);
      await Promise.all(nodes.map((node) => node.release()));
    });
  });

  it('is migrated once by nodes that start at the same time', async () => {
    const url = await lease();
    await administer(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const nodes = await Promise.all([open(url), open(url), open(url)]);
    expect(await nodes[2].all('SELECT version FROM schema_version')).toEqual([{ version: SCHEMA_VERSION }]);
  });

  it('of a newer Gatehouse is refused', async () => {
    const url = await lease();
    await administer(url, `UPDATE schema_version SET version = ${SCHEMA_VERSION + 1}`);
    await expect(openPostgres({ url, keys: testKeys })).rejects.toMatchObject({
      code: 'database_from_the_future',
    });
    await administer(url, `UPDATE schema_version SET version = ${SCHEMA_VERSION}`);
  });

  it.each([0, SCHEMA_VERSION - 1])(
    'of schema %i is unchanged if its migration is refused',
    async (version) => {
      const url = await lease();
      const [undo, check] =
        version === 0
          ? [
              'DROP SCHEMA public CASCADE; CREATE SCHEMA public',
              `SELECT 1 / (to_regclass('companies') IS NULL)::int`,
            ]
          : [
              `UPDATE schema_version SET version = ${version}`,
              `SELECT 1 / (version = ${version})::int FROM schema_version`,
            ];
      await administer(url, undo);
      const beforeMigration = (found: number) => {
        throw new Error(`refused ${found}`);
      };
      await expect(openPostgres({ url, keys: testKeys, beforeMigration })).rejects.toThrow(
        `refused ${version}`,
      );
      await administer(url, check);
      // The next test on this database needs its schema.
      if (version > 0) await administer(url, `UPDATE schema_version SET version = ${SCHEMA_VERSION}`);
      await open(url);
    },
  );

  it('that cannot be reached is reported in words', async () => {
    const url = `postgres:///nowhere?host=${encodeURIComponent(tempDir())}`;
    await expect(openPostgres({ url, keys: testKeys })).rejects.toMatchObject({
      code: 'database_unreachable',
    });
  });

  it('tells the first node that it is alone, and a second one that it is not', async () => {
    const url = await lease();
    const begun: string[] = [];
    const first = await sharePostgres(url, async () => begun.push('first'));
    const second = await sharePostgres(url, async () => begun.push('second'));
    await Promise.all([first.release(), second.release()]);
    await (await sharePostgres(url, async () => begun.push('third'))).release();
    expect(begun).toEqual(['first', 'third']);
  });

  it('tells no node that it is alone while another has reported, even if a failover released its lock', async () => {
    const url = await lease();
    const db = await open(url);
    await db.write(`INSERT INTO nodes (id, name, version, key_id, state, is_leader, index_lag, started_at, seen_at)
      VALUES ('n', 'n', '1', 'k', 'serving', 1, 0, 0, EXTRACT(EPOCH FROM clock_timestamp()) * 1000)`);
    const begun: string[] = [];
    await (await sharePostgres(url, async () => begun.push('early'))).release();
    await db.write('UPDATE nodes SET seen_at = seen_at - 61000');
    await (await sharePostgres(url, async () => begun.push('late'))).release();
    expect(begun).toEqual(['late']);
  });

  it('releases a node that waits for its lock behind a process that is alone', async () => {
    const url = await lease();
    const db = await open(url);
    const node = await sharePostgres(url, async () => undefined);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const takeLock = async () => {
      await administer(url, endOf('gatehouse node'));
      const sql = `SELECT pg_try_advisory_lock(hashtextextended('gatehouse/node', 0)) AS taken`;
      return (await other.query<{ taken: boolean }>(sql)).rows[0]?.taken;
    };
    await expect.poll(takeLock).toBe(true);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'gatehouse node' AND wait_event = 'advisory'`;
    await expect.poll(() => db.all(waiting)).toHaveLength(1);
    await node.release();
    await other.end();
  });
});
