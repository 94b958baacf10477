import { MOST_RECENT } from '../../domain/capture/attack/page-light.ts';
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** Where captures have the page's light in common: at a paired kiosk, or with the other devices of a verification. */
export type LightPlace = { kind: 'kiosk' | 'verification'; id: string };

/** Of the last captures that passed there, newest first, whether the skin reflected the light. */
export async function listRecentLight(db: SqlReader, scope: Scope, placeId: string): Promise<boolean[]> {
  const row = await db.one<{ recent: string }>(
    'SELECT recent FROM page_light WHERE company_id = ? AND partition = ? AND place_id = ?',
    ...ofScope(scope),
    placeId,
  );
  return Array.from(row?.recent ?? '', (seen) => seen === '1');
}

/** Adds a capture that passed, and drops the oldest ones. */
export async function addLight(
  tx: SqlTx,
  scope: Scope,
  { kind, id }: LightPlace,
  isLit: boolean,
): Promise<void> {
  await tx.run(
    `INSERT INTO page_light (company_id, partition, place_id, kiosk_id, verification_id, recent) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (company_id, partition, place_id)
       DO UPDATE SET recent = SUBSTR(excluded.recent || page_light.recent, 1, ${MOST_RECENT})`,
    ...ofScope(scope),
    id,
    kind === 'kiosk' ? id : null,
    kind === 'verification' ? id : null,
    isLit ? '1' : '0',
  );
}
