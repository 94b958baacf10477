/** The server as it was before the newest migration, built from the repository's history. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../scripts/assets/paths.ts';
import { SCHEMA_VERSION } from '../../../server/store/schema/migrations.ts';

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', PROJECT_ROOT, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** The highest version among the migrations of a commit. */
const schemaVersion = (commit: string): number =>
  Math.max(
    ...git('grep', '-hoE', 'version: [0-9]+,', commit, '--', 'server/store/schema')
      .split('\n')
      .map((line) => Number.parseInt(line.slice('version: '.length)) || 0),
  );

/** The last commit with an older schema; null in a copy without history, or before the newest migration is committed. */
export function previousCommit(): string | null {
  try {
    let newer = git('rev-parse', '--verify', 'HEAD').trim();
    if (schemaVersion(newer) < SCHEMA_VERSION) return null;
    const changes = git('log', '--format=%H', '--', 'server/store/schema').trim().split('\n');
    // A later commit may have moved it to another file, or given it another number.
    for (const commit of changes) {
      if (schemaVersion(commit) < SCHEMA_VERSION) return git('rev-parse', '--verify', `${newer}^`).trim();
      newer = commit;
    }
    return null;
  } catch {
    return null;
  }
}

/**
 * Builds the server of a commit in a new folder, with the installed packages.
 * @returns the path of its command line
 */
export function buildServer(commit: string, folder: string): string {
  mkdirSync(folder);
  const archive = path.join(folder, 'source.tar');
  git(
    'archive',
    '--output',
    archive,
    commit,
    'server',
    'locales',
    'assets',
    'package.json',
    'vite.server.config.ts',
  );
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  symlinkSync(path.join(PROJECT_ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
  const vite = path.join(PROJECT_ROOT, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--config', 'vite.server.config.ts'], {
    cwd: folder,
    stdio: 'ignore',
  });
  return path.join(folder, 'dist/server/cli.js');
}
