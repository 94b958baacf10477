/** Installing Debian packages that the tests need, where that is possible. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian and its relatives keep this file. */
const DEBIAN_MARK = '/etc/debian_version';

export type PackageManager = {
  /** Packages are installed by root on Debian alone; anybody else is told what to do. */
  mayInstall: boolean;
  /** Runs `apt-get`. @returns whether it succeeded */
  apt: (...args: string[]) => boolean;
};

export const packageManager = (): PackageManager => ({
  mayInstall: process.getuid?.() === 0 && existsSync(DEBIAN_MARK),
  apt: (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0,
});

/** @returns whether the packages are installed afterwards */
export function installPackages(packages: readonly string[], { mayInstall, apt }: PackageManager): boolean {
  if (!mayInstall) return false;
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  // The lists of a fresh machine are often empty or old.
  return install() || (apt('update') && install());
}
