import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { gitRepository, unitTestCommand, unitTestsOfChanges } from './changed-tests.ts';

const repository = (changed: string[] | null, isClean = true) => ({
  head: 'b2',
  isClean,
  changedSince: () => changed,
});

test('all unit tests run unless the last green commit is known and every change shows in imports', () => {
  expect(unitTestCommand('a1', repository(['server/ids.ts']))).toContain('--changed');
  expect(unitTestCommand(null, repository(['server/ids.ts']))).not.toContain('--changed');
  expect(unitTestCommand('rebased-away', repository(null))).not.toContain('--changed');
  for (const file of [
    'docs/README.md',
    'electron/window.ts',
    'electron-builder.yml',
    'server/face/worker.ts',
  ]) {
    expect(unitTestCommand('a1', repository([file])), file).not.toContain('--changed');
  }
});

test('changes are unknown after a step back, on another branch and after a file was deleted', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // A Git hook that runs the tests sets its own repository in these, and they override the folder.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commit = (...files: string[]) => {
    for (const file of files) writeFileSync(path.join(folder, file), file);
    git('add', '--all');
    git('commit', '--quiet', '--no-gpg-sign', '--message', 'change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet');
  const first = commit('a.ts', 'b.ts');
  const second = commit('c.ts');
  const { changedSince } = gitRepository(folder);
  expect(changedSince(first)).toEqual(['c.ts']);
  rmSync(path.join(folder, 'a.ts'));
  expect(changedSince(first)).toBeNull();
  git('reset', '--quiet', '--hard', first);
  expect(changedSince(second)).toBeNull();
});

test('a green run is recorded only for a commit without changes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-check-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const mark = path.join(folder, 'mark');
  unitTestsOfChanges(repository([], false), mark).passed();
  expect(existsSync(mark)).toBe(false);
  unitTestsOfChanges(repository([]), mark).passed();
  expect(readFileSync(mark, 'utf8')).toBe('b2');
});
