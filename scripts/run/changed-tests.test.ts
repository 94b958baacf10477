import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unitTestCommand, unitTestsOfChanges } from './changed-tests.ts';

const repository = (changed: string[] | null, isClean = true) => ({
  head: 'b2',
  isClean,
  changedSince: () => changed,
});

test('all unit tests run unless the last green commit is known and every change shows in imports', () => {
  expect(unitTestCommand('a1', repository(['server/ids.ts']))).toContain('--changed');
  expect(unitTestCommand(null, repository(['server/ids.ts']))).not.toContain('--changed');
  expect(unitTestCommand('rebased-away', repository(null))).not.toContain('--changed');
  expect(unitTestCommand('a1', repository(['docs/README.md']))).not.toContain('--changed');
});

test('a green run is remembered for a commit without changes only', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const mark = path.join(folder, 'mark');
  unitTestsOfChanges(repository([], false), mark).passed();
  expect(existsSync(mark)).toBe(false);
  unitTestsOfChanges(repository([]), mark).passed();
  expect(readFileSync(mark, 'utf8')).toBe('b2');
});
