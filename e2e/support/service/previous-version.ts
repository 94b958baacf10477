/** The server as it was before the newest migration, built from the repository's history. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../scripts/assets/paths.ts';
import { SCHEMA_VERSION } from '../../../server/store/schema/migrations.ts';

const NEWEST = `version: ${SCHEMA_VERSION},`;

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', PROJECT_ROOT, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** The last commit without the newest migration; null in a copy without history, or before the migration is committed. */
export function previousCommit(): string | null {
  try {
    // The oldest commit with it: later ones may move it to another file.
    const [added = ''] = git(
      'log',
      '--reverse',
      '--format=%H',
      `-S${NEWEST}`,
      '--',
      'server/store/schema',
    ).split('\n');
    return added === '' ? null : git('rev-parse', '--verify', `${added}^`).trim();
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
