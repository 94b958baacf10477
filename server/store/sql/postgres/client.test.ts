/** Connections to PostgreSQL: TLS, several servers, timeouts, and a password that is never shown. */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { stdSerializers } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../../testing/postgres/lease.ts';
import {
  administer,
  createTestDatabase,
  findPostgres,
  startPostgres,
  testKeys,
  testUrl,
} from '../../../../testing/postgres/server.ts';
import { onSqlite, openTempStore, tempDir } from '../../../../testing/store/temp-store.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { issueCertificate, newAuthority } from '../../../services/network/authority.ts';
import { serversOf } from './servers.ts';
import { sharePostgres } from './node.ts';
import { openPostgres } from './driver.ts';
import type { Database } from '../port.ts';

describe('the servers of an address', () => {
  it.each([
    ['postgres://u:p,w@one,two:5433/db?sslmode=verify-full', ['one', 'two']],
    ['postgres://u@[::1]:5432,127.0.0.1:5433/db', ['[::1]', '127.0.0.1']],
    ['postgres:///db?host=/run/a,/run/b&port=5432,5433', ['/run/a', '/run/b']],
    ['postgres:///db', ['']],
    ['postgres:///db?host=/run/a,/run/b&port=1,2,3', []],
    ['postgres://one,two/db?host=three', []],
    ['postgres://one:port/db', []],
    ['mysql://one/db', []],
  ])('of %s', (address, hosts) => {
    expect(serversOf(address).map(({ host }) => host)).toEqual(hosts);
  });
});

async function open(url: string): Promise<Database> {
  const db = await openPostgres({ url, keys: testKeys, poolSize: 3 });
  onTestFinished(() => db.close());
  return db;
}

describe.skipIf(onSqlite)('a connection to PostgreSQL', () => {
  const PASSWORD = 'correct-horse';
  /** Loopback addresses of this test alone, so that the usual port is free. The certificate is for the first one. */
  const block = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const [named, unnamed] = [`${block}.1`, `${block}.2`];
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let authority: string;
  let otherAuthority: string;
  const remote = (host: string, parameters: string, password = PASSWORD) =>
    `postgres://gatehouse:${password}@${host}/remote?${parameters}`;
  const verified = () => `sslmode=verify-full&sslrootcert=${authority}`;

  /** TCP connections need TLS and the password. */
  beforeAll(async () => {
    const [own, other] = [await newAuthority('own', Date.now()), await newAuthority('other', Date.now())];
    const subjects = { names: ['db.local'], addresses: [named] };
    const { certificate, key } = await issueCertificate(own, subjects, Date.now());
    server = await startPostgres(findPostgres() ?? '', (folder) => {
      const write = (name: string, text: string) => {
        const file = path.join(folder, name);
        writeFileSync(file, text, { mode: 0o600 });
        return file;
      };
      authority = write('own.pem', own.certificate);
      otherAuthority = write('other.pem', other.certificate);
      return {
        listen_addresses: `${named},${unnamed}`,
        ssl: 'on',
        ssl_cert_file: write('server.pem', certificate),
        ssl_key_file: write('server.key', key),
        hba_file: write('hba.conf', 'local all all trust\nhostssl all all 127.0.0.0/8 scram-sha-256\n'),
      };
    });
    await administer(testUrl(server.folder, 'postgres'), `ALTER USER gatehouse PASSWORD '${PASSWORD}'`);
    await createTestDatabase(server.folder, 'remote');
  }, limitMs(60_000));
  afterAll(() => server.stop());

  it('is encrypted if the address says sslmode=verify-full and the certificate matches', async () => {
    const db = await open(remote(named, verified()));
    const sql = 'SELECT version AS protocol FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    expect(await db.one(sql)).toEqual({ protocol: 'TLSv1.3' });
  });

  it.each([
    ['with a certificate for another name', () => remote(unnamed, verified()), /TLS.*altnames/],
    [
      'with a certificate of an unknown authority',
      () => remote(named, `sslmode=verify-full&sslrootcert=${otherAuthority}`),
      /TLS.*certificate/,
    ],
    ['with no authority of its own named', () => remote(named, 'sslmode=verify-full'), /TLS.*certificate/],
    [
      'with a file of the authority that is missing',
      () => remote(named, 'sslmode=verify-full&sslrootcert=/nowhere.pem'),
      /TLS.*nowhere/,
    ],
    ['without TLS where the server needs it', () => remote(named, ''), /refused the database or its user/],
    [
      'to a server without TLS where the address needs it',
      () => `${testUrl(server.folder, 'remote')}&${verified()}`,
      /TLS.*does not support/,
    ],
    ['with a wrong password', () => remote(named, verified(), `${PASSWORD}-2`), /refused/],
  ])('%s is refused, and no error shows the password', async (_, address, words) => {
    const error: unknown = await openPostgres({ url: address(), keys: testKeys }).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'StoreError', message: expect.stringMatching(words) as string });
    const shown = [
      inspect(error, { depth: Infinity, showHidden: true }),
      JSON.stringify(stdSerializers.err(error as Error)),
    ];
    for (const text of shown) expect(text).not.toContain(PASSWORD);
  });

  it('goes to the server that accepts writes, and to the next one when that changes', async () => {
    const url = await leaseDatabase(tempDir());
    const { pathname, searchParams } = new URL(url);
    const [first, second] = [searchParams.get('host') ?? '', server.folder];
    const name = pathname.slice(1);
    await createTestDatabase(second, name);
    const setReadOnly = (folder: string, value: 'on' | 'off') =>
      administer(
        testUrl(folder, 'postgres'),
        `ALTER DATABASE ${name} SET default_transaction_read_only = ${value};
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
    onTestFinished(async () => void (await setReadOnly(first, 'off')));
    await setReadOnly(second, 'on');
    const both = `postgres:///${name}?host=${second},${first}&user=gatehouse`;
    const db = await open(both);
    const node = await sharePostgres(both, async () => undefined);
    onTestFinished(() => node.release());
    const folderNow = async () =>
      (await db.one<{ folder: string }>(`SELECT current_setting('unix_socket_directories') AS folder`))
        ?.folder;
    let isTold = false;
    db.follow(
      'session',
      () => {
        isTold = true;
      },
      'any',
    );
    expect(await folderNow()).toBe(first);
    // The other server has the schema, as a standby would.
    await setReadOnly(second, 'off');
    await (await openPostgres({ url: testUrl(second, name), keys: testKeys })).close();
    await setReadOnly(first, 'on');
    // A statement in progress when its connection ends fails, and the next one finds the other server.
    const found = () => folderNow().catch(() => undefined);
    await expect.poll(found, { timeout: limitMs(10_000) }).toBe(second);
    await expect.poll(() => node.isLeader(), { timeout: limitMs(10_000) }).toBe(true);
    await expect.poll(() => isTold, { timeout: limitMs(10_000) }).toBe(true);
  });

  it('that is lost during a statement fails that statement, and nothing else', async () => {
    const db = await openTempStore();
    const pid = Promise.withResolvers<number>();
    const broken = db.tx(async (tx) => {
      pid.resolve((await tx.one<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid ?? 0);
      await tx.one('SELECT pg_sleep(60)');
    });
    await Promise.all([
      expect(broken).rejects.toMatchObject({ code: 'database_unreachable' }),
      pid.promise.then((of) => db.one('SELECT pg_terminate_backend(?)', of)),
    ]);
    expect(await db.one('SELECT 1 AS n')).toEqual({ n: 1 });
  });

  it('limits how long it waits for a statement, a lock and a silent transaction', async () => {
    const db = await openTempStore();
    const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const set = await db.all<{ value: string }>(
      `SELECT setting AS value FROM pg_settings WHERE name IN (?, ?, ?) ORDER BY name DESC`,
      ...limits,
    );
    expect(set.map(({ value }) => value)).toEqual(['60000', '10000', '5000']);
    const long = db.tx(async (tx) => {
      await tx.run(`SET LOCAL statement_timeout = 20`);
      await tx.one('SELECT pg_sleep(60)');
    });
    await expect(long).rejects.toMatchObject({ code: 'database_busy' });
    const holding = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const holder = db.tx(
      async (tx) => {
        await tx.run('LOCK TABLE companies');
        held.resolve(undefined);
        await holding.promise;
      },
      { companyId: 'one' },
      'may-wait',
    );
    await held.promise;
    const waiting = db.tx(
      async (tx) => {
        await tx.run(`SET LOCAL lock_timeout = 20`);
        await tx.run('LOCK TABLE companies');
      },
      { companyId: 'two' },
    );
    await expect(waiting).rejects.toMatchObject({ code: 'database_busy' });
    holding.resolve(undefined);
    await holder;
    const silent = db.tx(
      async (tx) => {
        const pid = (await tx.one<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid ?? 0;
        await tx.run('SET LOCAL idle_in_transaction_session_timeout = 20');
        const left = () => db.one('SELECT 1 AS found FROM pg_stat_activity WHERE pid = ?', pid);
        await expect.poll(left, { timeout: limitMs(10_000) }).toBeUndefined();
        await tx.one('SELECT 1');
      },
      undefined,
      'may-wait',
    );
    await expect(silent).rejects.toMatchObject({ code: 'database_unreachable' });
    expect(await db.one('SELECT 1 AS n')).toEqual({ n: 1 });
  });
});
