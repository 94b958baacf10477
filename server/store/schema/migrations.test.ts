import { expect, it } from 'vitest';
import { MIGRATIONS } from './migrations.ts';

/** From here on, a node of the version before still serves after the migration. */
const FIRST_ROLLING = 37;
/** Changes that could make statements of the version before fail. An upsert may rely on a dropped unique index. */
const BREAKING =
  /\b(DROP\s+(COLUMN|TABLE|INDEX|TRIGGER)|RENAME|ALTER\s+COLUMN|ADD\s+CONSTRAINT)\b|ADD\s+COLUMN(?![^;]*DEFAULT)[^;]*NOT\s+NULL|ADD\s+COLUMN[^;]*UNIQUE/i;
const UNIQUE_INDEX = /CREATE\s+UNIQUE\s+INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?\w+\s+ON\s+(\w+)/gi;

/** A unique index may refuse rows of the version before, unless that version does not know the table. */
function takesAway(sql: string): boolean {
  const isNew = (table = '') => new RegExp(`CREATE\\s+TABLE\\s+${table}\\b`, 'i').test(sql);
  return BREAKING.test(sql) || [...sql.matchAll(UNIQUE_INDEX)].some(([, table]) => !isNew(table));
}

it('a migration takes nothing away that a node of the version before uses', () => {
  const breaking = MIGRATIONS.filter(({ version, sql }) => version >= FIRST_ROLLING && takesAway(sql));
  expect(breaking.map(({ name }) => name)).toEqual([]);
});

it.each([
  'ALTER TABLE seen_frames DROP COLUMN signature;',
  'DROP TABLE seen_frames;',
  'DROP INDEX passes_by_person;',
  'DROP TRIGGER face_rows_inserted;',
  'CREATE UNIQUE INDEX events_name ON events (company_id, name);',
  'CREATE TABLE shows (id TEXT);\nCREATE UNIQUE INDEX events_name\n  ON events (company_id, name);',
  'ALTER TABLE events RENAME TO shows;',
  'ALTER TABLE events ADD COLUMN colour TEXT NOT NULL;',
  'ALTER TABLE events ADD COLUMN colour TEXT UNIQUE;',
  'ALTER TABLE events ADD CONSTRAINT named CHECK (length(name) > 0);',
])('%s would', (sql) => {
  expect(takesAway(sql)).toBe(true);
});

it.each([
  'ALTER TABLE events ADD COLUMN colour TEXT;',
  `ALTER TABLE events ADD COLUMN colour TEXT NOT NULL DEFAULT '';`,
  'CREATE INDEX events_name ON events (company_id, name);',
  'CREATE TABLE shows (id TEXT);\nCREATE UNIQUE INDEX shows_id ON shows (id);',
])('%s would not', (sql) => {
  expect(takesAway(sql)).toBe(false);
});
