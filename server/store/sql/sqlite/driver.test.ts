/** The SQL port over SQLite: grouped commits, isolation of failures, several processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTempStore, storePaths, tempDir } from '../../../../testing/store/temp-store.ts';
import { SLOW_LOOK_MS } from '../followers.ts';
import type { Database, SqlReader, SqlTx, SqlValue } from '../port.ts';
import { readOrCreateKeyFile } from '../key-file.ts';
import { unlock } from './connection.ts';
import { openSqlite } from './driver.ts';

const insert = (tx: Pick<SqlTx, 'run'>, id: string) =>
  tx.run('INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, 1, 1)', id, id);
const ids = async (db: SqlReader) =>
  (await db.all<{ id: string }>('SELECT id FROM companies ORDER BY id')).map(({ id }) => id);
const count = async (db: SqlReader) =>
  (await db.one<{ n: number }>('SELECT COUNT(*) AS n FROM companies'))?.n ?? -1;

/** Increases with each commit of another connection; to the reader, the writer is one. */
const dataVersion = async (db: SqlReader) =>
  (await db.one<{ data_version: number }>('PRAGMA data_version'))?.data_version ?? -1;

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a transaction', () => {
  it('returns the result of its work, after the commit', async () => {
    const db = await openTempStore();
    await expect(
      db.tx(async (tx) => {
        await insert(tx, 'a');
        return 'done';
      }),
    ).resolves.toBe('done');
    expect(await ids(db)).toEqual(['a']);
  });

  it('is invisible to readers before it ends', async () => {
    const db = await openTempStore();
    let seenInside: string[] = [];
    await db.tx(async (tx) => {
      await insert(tx, 'a');
      seenInside = await ids(db);
      expect(await ids(tx)).toEqual(['a']);
    });
    expect(seenInside).toEqual([]);
    expect(await ids(db)).toEqual(['a']);
  });

  it('rolls back completely when its work throws, and rejects with that error', async () => {
    const db = await openTempStore();
    const failure = new Error('no');
    await expect(
      db.tx(async (tx) => {
        await insert(tx, 'a');
        throw failure;
      }),
    ).rejects.toBe(failure);
    expect(await ids(db)).toEqual([]);
  });

  it('rejects with an error even if something else was thrown', async () => {
    const db = await openTempStore();
    const thrown: unknown = 'text';
    await expect(
      db.tx(async () => {
        throw thrown;
      }),
    ).rejects.toMatchObject({ cause: 'text' });
  });

  it('is refused after the close, and the close waits for earlier ones', async () => {
    const db = await openSqlite(storePaths(tempDir()));
    const last = db.tx((tx) => insert(tx, 'a'));
    await db.close();
    await expect(last).resolves.toBe(1);
    await expect(db.tx((tx) => insert(tx, 'b'))).rejects.toThrow('closed');
    await db.close();
  });

  it('a close right after a read leaves nothing behind that fails later', async () => {
    const db = await openSqlite(storePaths(tempDir()));
    const reading = count(db);
    const closing = db.close();
    expect(await reading).toBe(0);
    await closing;
    await turn();
    await turn();
  });
});

describe('grouped commits', () => {
  it('transactions of one turn share one commit, and each sees the earlier ones', async () => {
    const db = await openTempStore();
    const before = await dataVersion(db);
    await turn();
    const names = Array.from({ length: 100 }, (_, n) => `c${String(n).padStart(3, '0')}`);
    const seen = await Promise.all(
      names.map((name) =>
        db.tx(async (tx) => {
          const earlier = await count(tx);
          await insert(tx, name);
          return earlier;
        }),
      ),
    );
    expect(seen).toEqual(names.map((_, n) => n));
    expect(await ids(db)).toEqual(names);
    expect((await dataVersion(db)) - before).toBe(1);
  });

  it('while turns bring more, they share one commit', async () => {
    const db = await openTempStore();
    const write = (name: string) => db.tx((tx) => insert(tx, name));
    let round = 0;
    const commitsOfRound = async () => {
      const before = await dataVersion(db);
      round += 1;
      const first = [write(`a${round}`), write(`b${round}`)];
      await turn();
      await Promise.all([...first, write(`c${round}`)]);
      return (await dataVersion(db)) - before;
    };
    // A turn in which the machine did something else for long ends the group early.
    await expect.poll(commitsOfRound).toBe(1);
  });

  it('none resolves before the group is committed', async () => {
    const db = await openTempStore();
    const seenByReaders: number[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        db.tx((tx) => insert(tx, name)).then(async () => seenByReaders.push(await count(db))),
      ),
    );
    expect(seenByReaders).toEqual([3, 3, 3]);
  });

  it('one that fails rolls back only its own changes', async () => {
    const db = await openTempStore();
    const results = await Promise.allSettled([
      db.tx((tx) => insert(tx, 'a')),
      db.tx(async (tx) => {
        await insert(tx, 'lost');
        await insert(tx, 'a');
      }),
      db.tx(async (tx) => {
        expect(await ids(tx)).toEqual(['a']);
        await insert(tx, 'b');
      }),
      db.tx(async (tx) => tx.all('SELECT nonsense FROM nowhere')),
      db.tx((tx) => insert(tx, 'c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await ids(db)).toEqual(['a', 'b', 'c']);
  });

  it('a single statement joins the commit of its turn; a failing one undoes only itself', async () => {
    const db = await openTempStore();
    const put = (id: string) => insert({ run: db.write }, id);
    const results = await Promise.allSettled([
      db.tx((tx) => insert(tx, 'a')),
      put('a'),
      put('b'),
      db.tx(async (tx) => {
        expect(await ids(tx)).toEqual(['a', 'b']);
        await insert(tx, 'lost');
        await insert(tx, 'b');
      }),
      put('c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await ids(db)).toEqual(['a', 'b', 'c']);
    await db.close();
    await expect(put('d')).rejects.toThrow('closed');
  });

  it('of many rows that are inserted alike, each that is refused fails alone', async () => {
    const db = await openTempStore();
    const names = Array.from({ length: 30 }, (_, n) => `c${n % 28}`);
    const put = 'INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, ?, ?)';
    const results = await Promise.allSettled(names.map((name) => db.write(put, name, name, 1, 1)));
    expect(results.slice(0, 28)).toEqual(names.slice(0, 28).map(() => ({ status: 'fulfilled', value: 1 })));
    expect(results.slice(28)).toMatchObject([
      { status: 'rejected', reason: { constraint: 'companies_pkey' } },
      { status: 'rejected', reason: { constraint: 'companies_pkey' } },
    ]);
    expect(await count(db)).toBe(28);
  });

  it('of many rows that are inserted alike, one with too few values takes none of another', async () => {
    const db = await openTempStore();
    const put = 'INSERT INTO numbers (a) VALUES (?)';
    const rows: SqlValue[][] = [[], ['a', 'b'], ...Array.from({ length: 6 }, (_, n) => [n])];
    await db.write('CREATE TABLE numbers (a)');
    const results = await Promise.allSettled(rows.map((row) => db.write(put, ...row)));
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      ...Array.from({ length: 6 }, () => 'fulfilled'),
    ]);
  });

  it('work that awaits many statements is never interleaved with another', async () => {
    const db = await openTempStore();
    await db.tx((tx) => insert(tx, 'counter'));
    const bump = async (tx: SqlTx) => {
      const row = await tx.one<{ n: number }>('SELECT daily_limit AS n FROM companies');
      await Promise.resolve();
      await tx.all('SELECT 1');
      await tx.run('UPDATE companies SET daily_limit = ?', (row?.n ?? 0) + 1);
    };
    await Promise.all(Array.from({ length: 60 }, () => db.tx(bump)));
    const row = await db.one<{ n: number }>('SELECT daily_limit AS n FROM companies');
    expect(row?.n).toBe(61);
  });

  it('more than one group of them are all committed, in order', async () => {
    const db = await openTempStore();
    const seen = await Promise.all(
      Array.from({ length: 600 }, (_, n) =>
        db.tx(async (tx) => {
          await insert(tx, `c${n}`);
          return count(tx);
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
  });

  it('one that arrives during a group is committed after it', async () => {
    const db = await openTempStore();
    let inner: Promise<number> | undefined;
    await db.tx(async (tx) => {
      await insert(tx, 'a');
      inner = db.tx((later) => insert(later, 'b'));
    });
    expect(await inner).toBe(1);
    expect(await ids(db)).toEqual(['a', 'b']);
  });
});

it('the log is reused once it is long, also under reads without a pause', async () => {
  const dir = tempDir();
  const db = await openTempStore(dir);
  const bytes = 1024 * 1024;
  for (let n = 0; n < 48; n += 1) {
    const text = String(n % 10).repeat(bytes);
    await Promise.all([
      db.write(
        "INSERT INTO settings (name, value) VALUES ('long', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        text,
      ),
      count(db),
    ]);
  }
  expect(statSync(`${storePaths(dir).path}-wal`).size).toBeLessThan(24 * bytes);
});

it('the log is emptied although writes arrive without a pause', async () => {
  const db = await openTempStore();
  const seen = { isEmptied: false, stored: 0 };
  const emptied = db.truncateLog().then(() => {
    seen.isEmptied = true;
  });
  const writes: Promise<void>[] = [];
  // A few always wait, also when a group of them ends.
  while (!seen.isEmptied && seen.stored < 100) {
    if (writes.length - seen.stored < 4) {
      const id = `c${writes.length}`;
      writes.push(
        db
          .tx((tx) => insert(tx, id))
          .then(() => {
            seen.stored += 1;
          }),
      );
    }
    await turn();
  }
  expect(seen.isEmptied).toBe(true);
  await Promise.all([emptied, ...writes]);
});

describe('announcements', () => {
  /** Events received by followers of sessions, in order, and the data that was durable at that time. */
  async function followed(options: { onFollowerError?: (error: unknown) => void } = {}) {
    const dir = tempDir();
    const db = await openSqlite({ ...storePaths(dir), ...options });
    onTestFinished(() => db.close());
    const heard: string[] = [];
    const readable: Promise<string[]>[] = [];
    for (const id of ['x', 'y', 'lost', 'kept']) {
      db.follow(
        'session',
        () => {
          heard.push(id);
          readable.push(ids(db));
        },
        id,
      );
    }
    return { db, heard, durable: async () => Promise.all(readable) };
  }

  it('a commit announces each subject once, when it is durable', async () => {
    const { db, heard, durable } = await followed();
    await Promise.all(
      ['a', 'b'].map((id) =>
        db.tx(async (tx) => {
          tx.afterCommit('session', 'x');
          await insert(tx, id);
          tx.afterCommit('session', 'x');
          tx.afterCommit('webhooks');
        }),
      ),
    );
    expect(heard).toEqual(['x']);
    expect(await durable()).toEqual([['a', 'b']]);
  });

  it('a rollback announces nothing, and removes no announcement of the rest of its group', async () => {
    const { db, heard } = await followed();
    const refused = db.tx(async (tx) => {
      tx.afterCommit('session', 'lost');
      await insert(tx, 'lost');
      throw new Error('no');
    });
    const kept = db.tx(async (tx) => {
      await insert(tx, 'a');
      tx.afterCommit('session', 'kept');
    });
    await expect(refused).rejects.toThrow('no');
    await kept;
    await db.write('DELETE FROM companies');
    expect(heard).toEqual(['kept']);
  });

  it('a follower that throws is reported and stops neither the others nor the transaction', async () => {
    const errors: unknown[] = [];
    const { db, heard } = await followed({ onFollowerError: (error) => errors.push(error) });
    const failure = new Error('a follower');
    const unfollow = db.follow('session', () => {
      throw failure;
    });
    const late: string[] = [];
    db.follow('session', () => late.push('any'));
    const announce = (id: string) => db.tx(async (tx) => tx.afterCommit('session', id));
    await announce('x');
    unfollow();
    await announce('y');
    expect([heard, late, errors]).toEqual([['x', 'y'], ['any', 'any'], [failure]]);
  });

  it('a slow look just after a write leaves no timer that outlives the database', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { db } = await followed();
    vi.advanceTimersByTime(SLOW_LOOK_MS - 1);
    const slow = vi.getTimerCount();
    await db.tx((tx) => insert(tx, 'a'));
    while (vi.getTimerCount() === slow) await turn();
    vi.advanceTimersByTime(1);
    await db.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('reads', () => {
  it('share a row until a commit, and none can change it', async () => {
    const db = await openTempStore();
    await db.write("INSERT INTO companies (id, name, daily_limit, created_at) VALUES ('a', 'before', 1, 1)");
    const read = () => db.one<{ name: string }>('SELECT name FROM companies WHERE id = ?', 'a');
    const first = await read();
    await turn();
    expect(await read()).toBe(first);
    expect(() => Object.assign(first ?? {}, { name: 'mine' })).toThrow(TypeError);
    await db.write("UPDATE companies SET name = 'after'");
    expect(await read()).toEqual({ name: 'after' });
  });

  it('keep a bounded number of rows, and no large ones', async () => {
    const db = await openTempStore();
    const read = (value: SqlValue) => db.one('SELECT ? AS value', value);
    const first = await read(0);
    for (let n = 1; n < 1_000; n++) await read(n);
    expect(await read(0)).not.toBe(first);
    for (const large of [Buffer.alloc(2_000), 'x'.repeat(2_000)]) {
      expect(await read(large)).not.toBe(await read(large));
      expect(await read(large)).toEqual({ value: large });
      const lengthOf = () => db.one('SELECT length(?) AS length', large);
      expect(await lengthOf()).not.toBe(await lengthOf());
    }
  });

  it('of many large rows, none of which is kept, leave nothing behind', async () => {
    const db = await openTempStore();
    const small = () => db.one('SELECT 1 AS value');
    const first = await small();
    for (let n = 0; n < 1_000; n++) await db.one('SELECT ? AS value, zeroblob(2000) AS large', n);
    expect(await small()).not.toBe(first);
  });

  it.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [
      ['1', 'x'],
      [1, 'x'],
    ],
    [
      [Buffer.from('a'), ''],
      ['a', ''],
    ],
    [
      [null, ''],
      ['null', ''],
    ],
  ])('are of their own parameters: %j and %j', async (one, other) => {
    const db = await openTempStore();
    const read = (params: SqlValue[]) =>
      db.one<{ a: SqlValue; b: SqlValue }>('SELECT ? AS a, ? AS b', ...params);
    const rows = await Promise.all([read(one), read(other)]);
    expect(rows).toEqual([one, other].map(([a, b]) => ({ a, b })));
  });

  it('cannot write', async () => {
    const db = await openTempStore();
    await expect(db.all('DELETE FROM companies')).rejects.toThrow();
  });

  it('a caller who awaited a commit reads its rows, even in the same turn', async () => {
    const db = await openTempStore();
    for (let n = 1; n <= 20; n++) {
      await count(db);
      await db.tx((tx) => insert(tx, `c${n}`));
      expect(await count(db)).toBe(n);
    }
  });

  it('another process’s commit is visible, even within a long turn of the event loop', async () => {
    const dir = tempDir();
    const db = await openTempStore(dir);
    const { path: file, keyPath } = storePaths(dir);
    const other = new Sqlite(file);
    onTestFinished(() => void other.close());
    unlock(other, readOrCreateKeyFile(keyPath, file));
    await turn();
    const before = count(db);
    other.exec(`INSERT INTO companies (id, name, daily_limit, created_at) VALUES ('a', 'a', 1, 1)`);
    const untilMs = performance.now() + 20;
    while (performance.now() < untilMs);
    const after = count(db);
    expect([await before, await after]).toEqual([0, 1]);
  });

  it('show what another process has committed before a commit that is not yet durable', async () => {
    const dir = tempDir();
    const db = await openSqlite(storePaths(dir));
    onTestFinished(() => db.close());
    const other = new Sqlite(storePaths(dir).path);
    unlock(other, readOrCreateKeyFile(storePaths(dir).keyPath, storePaths(dir).path));
    const mine = db.tx((tx) => insert(tx, 'mine'));
    const before = ids(db);
    other.exec("INSERT INTO companies (id, name, daily_limit, created_at) VALUES ('other', 'other', 1, 1)");
    other.close();
    await turn();
    expect(await ids(db)).toContain('other');
    await Promise.all([before, mine]);
  });

  it('show a commit only once it is durable', async () => {
    const db = await openTempStore();
    const committed = { isDurable: false };
    // Long, so that the disk needs several turns for it.
    const write = db
      .write(
        `INSERT INTO companies (id, name, daily_limit, created_at) VALUES ('a', ?, 1, 1)`,
        'a'.repeat(8e6),
      )
      .then(() => {
        committed.isDurable = true;
      });
    const early: number[] = [];
    do {
      // All rows, because a single one can be known from before.
      const rows = (await ids(db)).length;
      // A read can be answered between the sync and the promise of the commit.
      await turn();
      if (!committed.isDurable) early.push(rows);
    } while (!committed.isDurable);
    await write;
    expect(early.filter((rows) => rows !== 0)).toEqual([]);
    expect(await count(db)).toBe(1);
  });

  it('a statement that fails does not disturb the next', async () => {
    const db = await openTempStore();
    await expect(db.one('SELECT nonsense')).rejects.toThrow();
    expect(await count(db)).toBe(0);
  });
});

/** Runs store code in a separate process; returns lines of its standard output. */
function spawnStore(dir: string, code: string, beforeImport = '') {
  const store = path.join(import.meta.dirname, 'driver.ts');
  const { path: dbPath, keyPath } = storePaths(dir);
  const script = `
    ${beforeImport}
    const { openSqlite } = await import(${JSON.stringify(store)});
    const db = await openSqlite(${JSON.stringify({ path: dbPath, keyPath })});
    const insert = (tx, id) =>
      tx.run('INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, 1, 1)', id, id);
    ${code}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return { child, lines: createInterface({ input: child.stdout }), exited: once(child, 'exit') };
}

it('after a failed sync, no write is acknowledged until the database is opened again', async () => {
  const dir = tempDir();
  const { lines, exited } = spawnStore(
    dir,
    `const attempt = (id) => db.tx((tx) => insert(tx, id)).then(() => 'stored', (error) => error.code);
     const outcomes = [await attempt('before')];
     disk.fails = true;
     outcomes.push(await attempt('failed'));
     disk.fails = false;
     outcomes.push(await attempt('after'));
     await db.truncateLog();
     outcomes.push(db.isDamaged());
     await db.close();
     process.stdout.write(JSON.stringify(outcomes) + '\\n');`,
    // A disk that fails on demand. Like Linux, it reports lost data only once.
    `import fs from 'node:fs';
     import { syncBuiltinESMExports } from 'node:module';
     const disk = { fails: false };
     const { fdatasync } = fs;
     fs.fdatasync = (descriptor, done) =>
       disk.fails ? setImmediate(done, new Error('i/o error')) : fdatasync(descriptor, done);
     syncBuiltinESMExports();`,
  );
  const printed: string[] = [];
  for await (const line of lines) printed.push(line);
  await exited;
  const refused = 'database_not_writable';
  expect(JSON.parse(printed.join(''))).toEqual(['stored', refused, refused, true]);
  const db = await openTempStore(dir);
  expect(db.isDamaged()).toBe(false);
  expect(await ids(db)).toContain('before');
  expect(await ids(db)).not.toContain('after');
  await db.tx((tx) => insert(tx, 'after'));
});

describe('after kill -9', () => {
  it('every acknowledged write is there, and the database opens without an error', async () => {
    const dir = tempDir();
    const { child, lines, exited } = spawnStore(
      dir,
      `for (let n = 0; ; n++) {
         await Promise.all([1, 2, 3].map(async (k) => {
           await db.tx((tx) => insert(tx, n + '-' + k));
           process.stdout.write(n + '-' + k + '\\n');
         }));
       }`,
    );
    const acknowledged: string[] = [];
    for await (const line of lines) {
      acknowledged.push(line);
      if (acknowledged.length === 300) child.kill('SIGKILL');
    }
    await exited;
    const db = await openTempStore(dir);
    const kept = new Set(await ids(db));
    expect(acknowledged.length).toBeGreaterThanOrEqual(300);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });
});

describe('two processes on one database', () => {
  async function writeMany(db: Database, prefix: string, n: number): Promise<void> {
    for (let i = 0; i < n; i++) await db.tx((tx) => insert(tx, `${prefix}${i}`));
  }

  it('both write at the same time, and each reads what the other wrote', async () => {
    const dir = tempDir();
    const db = await openTempStore(dir);
    const { lines, exited } = spawnStore(
      dir,
      `process.stdout.write('ready\\n');
       for (let n = 0; n < 100; n++) await db.tx((tx) => insert(tx, 'child' + n));
       await db.close();`,
    );
    await once(lines, 'line');
    await writeMany(db, 'parent', 100);
    expect(await exited).toEqual([0, null]);
    expect(await count(db)).toBe(200);
  });

  it('one that holds the lock for a while only delays the other', async () => {
    const dir = tempDir();
    const db = await openTempStore(dir);
    const { lines, exited } = spawnStore(
      dir,
      `await db.tx(async (tx) => {
         await insert(tx, 'child');
         process.stdout.write('locked\\n');
         await new Promise((resolve) => setTimeout(resolve, 300));
       }, undefined, 'may-wait');
       await db.close();`,
    );
    await once(lines, 'line');
    expect(await db.tx(async (tx) => [await ids(tx), await insert(tx, 'parent')])).toEqual([['child'], 1]);
    expect(await exited).toEqual([0, null]);
    expect(await ids(db)).toEqual(['child', 'parent']);
  });

  it('two that open a new folder at the same time agree on one key and one schema', async () => {
    const dir = tempDir();
    const code = `await db.tx((tx) => insert(tx, String(process.pid))); await db.close();`;
    const starts = [spawnStore(dir, code), spawnStore(dir, code), spawnStore(dir, code)];
    const exits = await Promise.all(starts.map(({ exited }) => exited));
    expect(exits).toEqual(starts.map(() => [0, null]));
    expect(await count(await openTempStore(dir))).toBe(3);
  });
});

it('no connection keeps temporary data in files, which SQLite does not encrypt, or deleted content in pages', async () => {
  const db = await openTempStore();
  const [temporary, secure] = ['PRAGMA temp_store', 'PRAGMA secure_delete'];
  expect(await db.one(temporary)).toEqual({ temp_store: 2 });
  expect(await db.tx((tx) => tx.one(temporary))).toEqual({ temp_store: 2 });
  expect(await db.tx((tx) => tx.one(secure))).toEqual({ secure_delete: 1 });
});
