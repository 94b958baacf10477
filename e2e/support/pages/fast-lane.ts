/** A kiosk whose guests leave and come back with their ticket, for tests and measurements of the fast lane. */
import type { Page } from '@playwright/test';
import type { Faces } from '../../../server/contract/console/events.ts';
import type { DoorTeam } from '../../../server/contract/console/door-team.ts';
import { SHIFT_TOKEN_HEADER, type ShiftJoinResponse } from '../../../server/contract/tickets.ts';
import type { Database } from '../../../server/store/sql/port.ts';
import { sendOk } from '../http.ts';
import type { Gatehouse } from '../service/server.ts';
import { newKiosk, startButton, type VenueKiosk } from './kiosk.ts';

export type FastLaneVenue = VenueKiosk & {
  code: string;
  /** The guest of a ticket goes out, past a phone of the door team. */
  leave: (ticket: string) => Promise<void>;
};

/** Any code is a ticket, and guests may come back. */
export async function newFastLaneVenue(
  gatehouse: Gatehouse,
  { fastLane, faces }: { fastLane: boolean; faces?: Faces },
): Promise<FastLaneVenue> {
  const languages = ['en', 'es', 'fr', 'de'] as const;
  const venue = await newKiosk(gatehouse, { languages: [...languages], fastLane, ...(faces && { faces }) });
  const path = `/events/${venue.eventId}`;
  await venue.operator.ok(`${path}/ticket-sources`, { body: { kind: 'any', name: 'Tickets' } });
  await venue.operator.ok(`${path}/door-team`, { method: 'PATCH', body: { re_entry: true } });
  await venue.operator.ok(`${path}/shifts`, { body: { role: 'supervisor' } });
  const { shifts } = await venue.operator.ok<DoorTeam>(`${path}/door-team`);
  const code = new URL(shifts.at(-1)?.join_url ?? '').hash.slice(1);
  const { token } = await sendOk<ShiftJoinResponse>(`${gatehouse.baseUrl}/scan/join`, {
    body: { code: decodeURIComponent(code.split('=').at(-1) ?? ''), name: 'Sol' },
  });
  return {
    ...venue,
    async leave(ticket) {
      const left = await sendOk<{ verdict: string }>(`${gatehouse.baseUrl}/scan/tickets`, {
        headers: { [SHIFT_TOKEN_HEADER]: token },
        body: { text: ticket, direction: 'out' },
      });
      if (left.verdict !== 'admit') throw new Error(`The guest was not let out: ${JSON.stringify(left)}`);
    },
  };
}

/** Pairs the page itself, so that it has a key to sign its stills with. */
export async function pairPage(page: Page, gatehouse: Gatehouse, code: string): Promise<void> {
  await page.goto(`${gatehouse.baseUrl}/kiosk`);
  await page.getByLabel('Pairing code').fill(code);
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await startButton(page).waitFor();
}

/** The scripted camera has few frames and soon repeats one, which the server would refuse as a replay. */
export const forgetFrames = (database: Database): Promise<void> =>
  database.tx(async (tx) => {
    for (const table of ['seen_frames', 'seen_signatures', 'seen_faces'])
      await tx.run(`DELETE FROM ${table}`);
  });
