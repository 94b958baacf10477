import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from '../sql/migrate.ts';
import { MIGRATIONS } from './migrations.ts';

it('existing operators see all companies and have no second factor, and an existing lock still applies', () => {
  const connection = new Sqlite(':memory:');
  for (const migration of MIGRATIONS) {
    if (migration.version >= 23) continue;
    connection.exec(migration.sql);
    migration.fill?.(connection);
    connection.pragma(`user_version = ${migration.version}`);
  }
  connection.exec(`
    INSERT INTO operators (id, name, name_key, role, origin, passphrase_hash, passphrase_changed_at, created_at)
      VALUES ('op', 'Ada', 'ada', 'admin', 'cli', 'hash', 1, 1);
    INSERT INTO sign_in_failures (name_hash, failed_attempts, locked_until, last_at) VALUES (x'01', 0, 99, 9);
  `);
  migrate(connection);
  expect(
    connection.prepare('SELECT all_companies, pin_lock_rounds, pin_locked_until FROM operators').get(),
  ).toEqual({ all_companies: 1, pin_lock_rounds: 0, pin_locked_until: null });
  expect(connection.prepare('SELECT subject, locked_until, lock_rounds FROM sign_in_failures').get()).toEqual(
    {
      subject: Buffer.from([1]),
      locked_until: 99,
      lock_rounds: 0,
    },
  );
  expect(connection.prepare('SELECT COUNT(*) AS n FROM second_factors').get()).toEqual({ n: 0 });
  connection.close();
});
