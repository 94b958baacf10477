/** Whether the page's light is usually seen where a run is checked (`docs/explanation/page-light.md`). */
import { isLightUsual } from '../../domain/capture/attack/page-light.ts';
import { addLight, type LightPlace, listRecentLight } from '../../store/capture/page-light.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { findKioskOfRun } from '../../store/venue/kiosk-runs.ts';

type Place = Pick<Session, 'id' | 'scope' | 'device' | 'verificationId'>;

export async function isLightUsualFor(db: SqlReader, session: Place): Promise<boolean> {
  return isLightUsual(await listRecentLight(db, session.scope, await placeOf(db, session)));
}

/** @param isLit whether the skin of a capture that passed reflected the light */
export async function recordLight(tx: SqlTx, session: Place, isLit: boolean): Promise<void> {
  await addLight(tx, session.scope, await placeOf(tx, session), isLit);
}

/** A page says what device it is, and an attacker would choose the one with less known, so all but kiosks share one. */
async function placeOf(db: SqlReader, { id, scope, device, verificationId }: Place): Promise<LightPlace> {
  const kiosk = device === 'kiosk' ? await findKioskOfRun(db, scope, id) : undefined;
  return kiosk ? { kioskId: kiosk.id } : { verificationId };
}
