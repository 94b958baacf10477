/**
 * Loaded before the server (`--import`): takes one of the SQLite driver's shortcuts out of its sources, so that a run shows what
 * it brings. The product has no switch for it.
 */
import { registerHooks } from 'node:module';

/** Each is one constant of one file. */
export const SHORTCUTS = {
  'rows kept until the next commit': ['known-rows.ts', 'MOST_PLACES = 1_000', 'MOST_PLACES = 0'],
  'eight rows in one insert': ['single-statements.ts', 'ROWS_TOGETHER = 8', 'ROWS_TOGETHER = 1'],
  'one snapshot for the reads of a turn': [
    'snapshot.ts',
    'LONGEST_SNAPSHOT_MS = 1',
    'LONGEST_SNAPSHOT_MS = -1',
  ],
  'gathering writes over turns': ['driver.ts', 'TURNS_WITHOUT_MORE = 2', 'TURNS_WITHOUT_MORE = 0'],
} as const;
export type Shortcut = keyof typeof SHORTCUTS;

export const WITHOUT = 'GATEHOUSE_BENCH_WITHOUT';

const wanted = process.env[WITHOUT];
if (wanted !== undefined) {
  const [file, usual, without] = SHORTCUTS[wanted as Shortcut];
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(`/sqlite/${file}`)) return loaded;
      const { source: bytes } = loaded;
      const source = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes ?? new Uint8Array());
      if (!source.includes(usual)) throw new Error(`${file} has no “${usual}”.`);
      return { ...loaded, source: source.replace(usual, without) };
    },
  });
}
