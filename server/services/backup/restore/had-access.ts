import { listAccessKeys, listAccessKiosks } from '../../../store/backup/access.ts';
import { listOperators } from '../../../store/operators/operators.ts';
import type { SqlReader } from '../../../store/sql/port.ts';
import { readSetting } from '../../../store/settings.ts';

/** IDs of everything that ever had access, also to data that an earlier restore replaced. */
export type Had = { operators: string[]; keys: string[]; kiosks: string[] };
export const HAD = 'backup.had_access';
const NOBODY: Had = { operators: [], keys: [], kiosks: [] };

export async function readHad(db: SqlReader): Promise<Had> {
  const before = (await readSetting<Had>(db, HAD)) ?? NOBODY;
  const joined = (earlier: string[], now: { id: string }[]) => [
    ...new Set([...earlier, ...now.map(({ id }) => id)]),
  ];
  return {
    operators: joined(before.operators, await listOperators(db)),
    keys: joined(before.keys, await listAccessKeys(db)),
    kiosks: joined(before.kiosks, await listAccessKiosks(db)),
  };
}
