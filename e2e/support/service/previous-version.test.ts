/** The rolling upgrade is skipped without an older version, so a version that is not found must not go unnoticed. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../scripts/assets/paths.ts';
import { SCHEMA_VERSION } from '../../../server/store/schema/migrations.ts';
import { previousCommit } from './previous-version.ts';

function hasNewestMigration(commit: string): boolean {
  try {
    const args = ['grep', '-q', `version: ${SCHEMA_VERSION},`, commit, '--', 'server/store/schema'];
    execFileSync('git', ['-C', PROJECT_ROOT, ...args], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it.runIf(hasNewestMigration('HEAD'))(
  'the older version is found whatever file the newest migration is in',
  () => {
    const commit = previousCommit();
    expect(commit).not.toBeNull();
    expect(hasNewestMigration(commit ?? '')).toBe(false);
  },
);
