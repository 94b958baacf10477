/** npm’s settings as npm itself reads them: registry, proxy, certificates and the user’s credentials. */
import { dirname, resolve } from 'node:path';
import Config from '@npmcli/config';
import npmDefinitions from '@npmcli/config/lib/definitions/index.js';
import { PROJECT_ROOT } from './paths.ts';

export type NpmOptions = Record<string, unknown>;

/**
 * Reads the environment and the project's, the user's and the machine's npmrc. Under `npm run`, npm reports where it
 * and its Node.js are installed, which determines the machine's file.
 */
export async function loadNpmOptions(env: NodeJS.ProcessEnv = process.env): Promise<NpmOptions> {
  const npmScript = env['npm_execpath'];
  const config = new Config({
    ...npmDefinitions,
    npmPath: npmScript === undefined ? PROJECT_ROOT : resolve(dirname(npmScript), '..'),
    execPath: env['npm_node_execpath'] ?? process.execPath,
    argv: [],
    cwd: PROJECT_ROOT,
    // A copy, because loading writes npm's variables into it.
    env: { ...env },
    warn: false,
  });
  await config.load();
  // Downloads retry here and resume; npm’s own retries wait a minute when offline.
  return { ...config.flat, retry: { retries: 0 } };
}
