import { expect, it } from 'vitest';
import { MIGRATIONS } from './migrations.ts';

/** From here on, a node of the version before still serves after the migration. */
const FIRST_ROLLING = 37;
/** What statements of the version before could fail on. */
const BREAKING =
  /\b(DROP\s+(COLUMN|TABLE)|RENAME|ALTER\s+COLUMN)\b|ADD\s+COLUMN(?![^;]*DEFAULT)[^;]*NOT\s+NULL/i;

it('a migration takes nothing away that a node of the version before uses', () => {
  const breaking = MIGRATIONS.filter(({ version, sql }) => version >= FIRST_ROLLING && BREAKING.test(sql));
  expect(breaking.map(({ name }) => name)).toEqual([]);
});

it.each([
  'ALTER TABLE seen_frames DROP COLUMN signature;',
  'DROP TABLE seen_frames;',
  'ALTER TABLE events RENAME TO shows;',
  'ALTER TABLE events ADD COLUMN colour TEXT NOT NULL;',
])('%s would', (sql) => {
  expect(sql).toMatch(BREAKING);
});

it.each([
  'ALTER TABLE events ADD COLUMN colour TEXT;',
  `ALTER TABLE events ADD COLUMN colour TEXT NOT NULL DEFAULT '';`,
])('%s would not', (sql) => {
  expect(sql).not.toMatch(BREAKING);
});
