/** Whether the page's light is usually seen where a run is checked (`docs/explanation/page-light.md`). */
import type { PageLight } from '../../contract/console/common.ts';
import { isLightUsual, LEAST_RECENT } from '../../domain/capture/attack/page-light.ts';
import { addLight, type LightPlace, listRecentLight } from '../../store/capture/page-light.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { findKioskOfRun } from '../../store/venue/kiosk-runs.ts';

type Place = Pick<Session, 'id' | 'scope' | 'device' | 'verificationId'>;

export async function isLightUsualFor(db: SqlReader, session: Place): Promise<boolean> {
  return isLightUsual(await listRecentLight(db, session.scope, (await placeOf(db, session)).id));
}

/** @param isLit whether the skin of a capture that passed reflected the light */
export async function recordLight(tx: SqlTx, session: Place, isLit: boolean): Promise<void> {
  await addLight(tx, session.scope, await placeOf(tx, session), isLit);
}

/** A page says what device it is, and an attacker would choose the one with less known, so all but kiosks share one. */
async function placeOf(db: SqlReader, { id, scope, device, verificationId }: Place): Promise<LightPlace> {
  const kiosk = device === 'kiosk' ? await findKioskOfRun(db, scope, id) : undefined;
  return kiosk ? { kind: 'kiosk', id: kiosk.id } : { kind: 'verification', id: verificationId };
}

/** @param placeId of a kiosk or a verification; nothing is known of any other */
export async function readPageLight(db: SqlReader, scope: Scope, placeId: string): Promise<PageLight> {
  const recent = await listRecentLight(db, scope, placeId);
  return {
    seen: recent.filter(Boolean).length,
    known: recent.length,
    needed: LEAST_RECENT,
    is_usual: isLightUsual(recent),
  };
}
