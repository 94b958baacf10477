/** The demo's nights, the kiosks at its gates, and which of its runs were made there. */
import { insertEvent, type VenueEvent } from '../../store/venue/events.ts';
import { saveKioskRun } from '../../store/venue/kiosk-runs.ts';
import { insertKiosk, pairKiosk, recordHeartbeat } from '../../store/venue/kiosks.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { USUAL_BADGE_SIZE } from '../../contract/badges.ts';
import { newId, randomBase62, sha256 } from '../ports/ids.ts';
import type { DemoTenant } from './tenant.ts';
import type { Visit } from './plan.ts';
import { OPENING, TONIGHT } from './moments.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN_LENGTH = 43;
/** How long before a night staff prepare it. */
const PREPARED_MS = 5 * DAY_MS;
const KIOSKS = ['Gate A', 'Gate B', 'Crew entrance'];

/** Kiosks of the demo, in the order in which runs are assigned to them. */
export type DemoVenue = { kioskIds: string[]; eventIds: ReadonlyMap<string, string> };

/** Creates three nights (one past, one running, one upcoming) and the kiosks, which have no device. */
export async function makeVenue(tx: SqlTx, tenant: DemoTenant, nowMs: number): Promise<DemoVenue> {
  const midnight = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const nights = [
    { name: 'Harbour Lights: opening', group: OPENING.group, startsAt: midnight - OPENING.daysAgo * DAY_MS },
    { name: 'Harbour Lights: tonight', group: TONIGHT.group, startsAt: nowMs - TONIGHT.sinceMs },
    { name: 'Harbour Lights: farewell', group: 'harbour-farewell', startsAt: midnight + 9 * DAY_MS },
  ];
  const eventIds = new Map<string, string>();
  for (const { name, group, startsAt } of nights) {
    const event = nightOf(tenant, { name, group, startsAt, nowMs });
    await insertEvent(tx, event);
    eventIds.set(group, event.id);
  }
  const kioskIds: string[] = [];
  for (const name of KIOSKS) {
    kioskIds.push(await addKiosk(tx, tenant, name, eventIds.get(TONIGHT.group) ?? null, nowMs));
  }
  return { kioskIds, eventIds };
}

function nightOf(
  { live, verificationIds }: DemoTenant,
  { name, group, startsAt, nowMs }: { name: string; group: string; startsAt: number; nowMs: number },
): VenueEvent {
  const createdAt = Math.min(nowMs, startsAt) - PREPARED_MS;
  return {
    id: newId(createdAt),
    scope: live,
    name,
    verificationId: verificationIds[0] ?? '',
    group,
    limit: { kind: 'none', max: 1 },
    startsAt,
    endsAt: startsAt + DAY_MS,
    languages: ['en', 'es', 'fr', 'de'],
    words: { en: { welcome: 'One face, one ticket. It takes ten seconds.', passed: 'Enjoy the lights!' } },
    colour: null,
    guestPhotoDays: null,
    fastLane: false,
    badge: null,
    ...USUAL_BADGE_SIZE,
    faces: 'organiser',
    facesDays: 1,
    logoId: null,
    picture: null,
    createdAt,
    updatedAt: createdAt,
  };
}

async function addKiosk(
  tx: SqlTx,
  { live }: DemoTenant,
  name: string,
  eventId: string | null,
  nowMs: number,
): Promise<string> {
  const at = nowMs - PREPARED_MS;
  const id = newId(at);
  const codeHash = sha256(randomBase62(TOKEN_LENGTH));
  await insertKiosk(tx, {
    id,
    companyId: live.companyId,
    name,
    eventId,
    codeHash,
    codeExpiresAt: at + HOUR_MS,
    at,
  });
  // No device has the token, so a minute from now the console shows the kiosks as away.
  const tokenHash = sha256(randomBase62(TOKEN_LENGTH));
  await pairKiosk(tx, codeHash, { tokenHash, publicKey: null, at: at + HOUR_MS / 2 });
  const seen = { screen: 'attract', camera: 'ready', sessionId: null, at: nowMs } as const;
  await recordHeartbeat(tx, id, seen);
  return id;
}

/** Records the kiosk of a visit during one of the nights. */
export async function noteKioskRun(
  tx: SqlTx,
  { kioskIds, eventIds }: DemoVenue,
  visit: Visit,
  sessionId: string,
): Promise<void> {
  const eventId = eventIds.get(visit.group);
  const kioskId = kioskIds[visit.startedAt % Math.max(1, kioskIds.length)];
  if (visit.device !== 'kiosk' || eventId === undefined || kioskId === undefined) return;
  await saveKioskRun(tx, { sessionId, kioskId, eventId, origin: 'walk_up', startedAt: visit.startedAt });
}
