import type { SqlReader, SqlTx } from './sql/port.ts';
import { fromJson, toJson } from './rows.ts';

/** Settings of the whole installation, one JSON value per name. */
export async function readSetting<T>(db: SqlReader, name: string): Promise<T | null> {
  const row = await db.one<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
  return row ? fromJson<T>(db.secrets.open('settings.value', [name], row.value)) : null;
}

export async function writeSetting(tx: SqlTx, name: string, value: unknown): Promise<void> {
  await tx.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    tx.secrets.seal('settings.value', [name], toJson(value)),
  );
}
