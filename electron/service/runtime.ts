/** The process that runs the server: its kind, its arguments and its environment. */

export type Runtime = { kind: 'utility' } | { kind: 'node'; execPath: string } | { kind: 'none' };

/** Required by the SQLite driver's prebuilt binaries. */
const OLDEST_NAPI = 10;
/** The first 22 that runs TypeScript sources by default. */
const OLDEST_NODE = [22, 18] as const;

/**
 * Electron's own Node.js if it is new enough, else the one in `nodePath`.
 * @param versions `process.versions` of the main process
 * @param nodePath a Node of 22.18 or newer
 */
export function chooseRuntime(
  versions: { node?: string | undefined; napi?: string | undefined },
  nodePath: string | undefined,
): Runtime {
  const [major = 0, minor = 0] = (versions.node ?? '').split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isNewEnough && Number(versions.napi) >= OLDEST_NAPI) return { kind: 'utility' };
  return nodePath ? { kind: 'node', execPath: nodePath } : { kind: 'none' };
}

// Keeps the memory of a Node process that runs the server small: an idle server takes 313 MiB instead of 378, and
// one under load 460 instead of 615, for the same processor time (docs/explanation/performance.md).

/** Arguments of Node. With the default of 16 MiB, each of the three spaces of the young generation grows and rarely shrinks. */
export const SERVER_NODE_ARGS = ['--max-semi-space-size=4'];

/** The environment. By default glibc creates up to eight heaps per core, and keeps what each thread has freed. */
export const SERVER_MEMORY_ENV = { MALLOC_ARENA_MAX: '2' };
