/** npm's settings as npm itself reads them: registry, proxy, certificates and credentials of whoever runs this. */
import { dirname, resolve } from 'node:path';
import Config from '@npmcli/config';
import npmDefinitions from '@npmcli/config/lib/definitions/index.js';
import { PROJECT_ROOT } from './paths.ts';

export type NpmOptions = Record<string, unknown>;

/**
 * Reads the environment and the project's, the user's and the machine's npmrc. Under `npm run`, npm tells where it and
 * its Node are installed, which decides where the machine's file is.
 */
export async function loadNpmOptions(env: NodeJS.ProcessEnv = process.env): Promise<NpmOptions> {
  const npmScript = env['npm_execpath'];
  const config = new Config({
    ...npmDefinitions,
    npmPath: npmScript === undefined ? PROJECT_ROOT : resolve(dirname(npmScript), '..'),
    execPath: env['npm_node_execpath'] ?? process.execPath,
    argv: [],
    cwd: PROJECT_ROOT,
    // A copy, since loading writes npm's variables into it.
    env: { ...env },
    warn: false,
  });
  await config.load();
  // Retries are made here, where a download goes on from where it stopped; npm's own wait a minute when offline.
  return { ...config.flat, retry: { retries: 0 } };
}
