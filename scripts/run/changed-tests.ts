/** Which unit tests `npm run check` runs: those that changes since its last green run can affect. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../assets/paths.ts';
import type { Task } from './tasks.ts';

type Repository = {
  /** The commit; null outside a repository. */
  head: string | null;
  isClean: boolean;
  /** Files that differ from a commit, tracked or not; null if the commit is no ancestor, or a file was deleted. */
  changedSince: (commit: string) => string[] | null;
};

/** Tests read these from the disk or start them as workers, so imports do not show which tests a change affects. */
const READ_BY_TESTS =
  /^(docs|assets|locales|electron|renderer\/.*\.css|package(-lock)?\.json|vitest\.config|testing\/tier)|worker\.ts$/;

/** The projects that need neither a browser nor a database server; `npm test` runs the others, too. */
const ALL = ['vitest', 'run', '--reporter=dot', '--project', 'shared', '--project', 'isolated'] as const;

/** @param green the commit at which all unit tests last passed, null if unknown */
export function unitTestCommand(green: string | null, { changedSince }: Repository): Task['command'] {
  const changed = green === null ? null : changedSince(green);
  if (green === null || changed === null || changed.some((file) => READ_BY_TESTS.test(file))) return ALL;
  return [...ALL, '--changed', green, '--passWithNoTests'];
}

/** `passed` records the commit, unless files differ from it, because they could be changed back unnoticed. */
export function unitTestsOfChanges(
  repository: Repository = gitRepository(),
  mark = path.join(PROJECT_ROOT, '.cache', 'unit-tests-passed'),
): { task: Task; passed: () => void } {
  const { head, isClean } = repository;
  return {
    task: { name: 'unit tests', command: unitTestCommand(readMark(mark), repository) },
    passed: () => {
      if (head === null || !isClean) return;
      mkdirSync(path.dirname(mark), { recursive: true });
      writeFileSync(mark, head);
    },
  };
}

function readMark(mark: string): string | null {
  try {
    return readFileSync(mark, 'utf8').trim();
  } catch {
    return null;
  }
}

/** @param root of the repository */
export function gitRepository(root = PROJECT_ROOT): Repository {
  const git = (...args: string[]): string | null => {
    try {
      return execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return null;
    }
  };
  const linesOf = (output: string | null) => output?.split('\n').filter(Boolean) ?? null;
  const untracked = () => linesOf(git('ls-files', '--others', '--exclude-standard')) ?? [];
  return {
    head: git('rev-parse', 'HEAD')?.trim() ?? null,
    isClean: git('status', '--porcelain') === '',
    changedSince: (commit) => {
      // Vitest compares with the merge base, and no import shows that a file was deleted.
      const isAncestor = git('merge-base', '--is-ancestor', commit, 'HEAD') !== null;
      if (!isAncestor || git('diff', '--name-only', '--diff-filter=D', '--no-renames', commit) !== '')
        return null;
      const tracked = linesOf(git('diff', '--name-only', commit));
      return tracked && [...tracked, ...untracked()];
    },
  };
}
