/** The door in the screenshots: an event with kiosks in every state, and guests. */
import { signIn } from '../support/pages/console.ts';
import { newEvent, newKiosk, TEST } from '../support/door.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { newVerification } from '../support/venue.ts';

/** Faces in order of arrival; a repeated one is refused. */
const FACES = ['ana', 'bea', 'carl', 'dora', 'near:ana', 'ed', 'fay', 'spoof', 'bea'];
const NAME = 'Stadtlauf bei Nacht, Einlass Startbereich';

export async function openDoor(gatehouse: Gatehouse): Promise<void> {
  const admin = await signIn(gatehouse, 'admin');
  const reviewed = await newVerification(gatehouse, gatehouse.company, {
    collision: { action: 'review' },
  });
  const event = await newEvent(admin, {
    name: NAME,
    verification_id: reviewed,
    words: { en: { welcome: 'Welcome to the start' }, de: { welcome: 'Willkommen am Start' } },
  });
  const [north, south, desk] = [
    await newKiosk(admin, gatehouse.baseUrl, 'North gate', event.event_id),
    await newKiosk(admin, gatehouse.baseUrl, 'Südtor, Eingang für Läuferinnen', event.event_id),
    await newKiosk(admin, gatehouse.baseUrl, 'Desk 2', event.event_id),
  ];
  await admin.ok(`/kiosks?${TEST}`, { body: { name: 'Tablet in the box', event_id: null } });
  for (const [index, face] of FACES.entries()) await (index % 2 === 0 ? north : south).pass(face);
  await desk.start();
  await north.heartbeat('attract');
  await south.heartbeat('attract', 'covered');
  await desk.heartbeat('consent');
  const phone = await newVerification(gatehouse, gatehouse.company, { phone: { required: true } });
  const second = await newEvent(admin, {
    name: 'Gala',
    verification_id: phone,
    limit: { kind: 'day', max: 2 },
  });
  const gala = await newKiosk(admin, gatehouse.baseUrl, 'Ballroom', second.event_id);
  const waiting = await gala.start();
  await waiting.flow('/consent', { accepted: true });
  await waiting.flow('/phone', { phone: '+12105550123' });
}
