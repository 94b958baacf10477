/**
 * A venue with a kiosk: its event, a pairing code or a device token, staff with a PIN; and the kiosk's page as guests
 * use it.
 */
import { expect, type Page } from '@playwright/test';
import type { EventCreate, EventRecord, Faces } from '../../../server/contract/console/events.ts';
import type { KioskRecord, KioskWithCode } from '../../../server/contract/console/kiosks.ts';
import type { KioskPairResponse } from '../../../server/contract/kiosk.ts';
import { signIn, type Operator } from './console.ts';
import { sendOk } from '../http.ts';
import type { Gatehouse } from '../service/server.ts';

/** A tablet on a stand; without animation, which takes most of the processor time without a graphics device. */
export const TABLET = {
  viewport: { width: 800, height: 1280 },
  locale: 'en-GB',
  contextOptions: { reducedMotion: 'reduce' },
} as const;
export const EVENT_NAME = 'Night of Museums';
export const PIN = '428190';

export type VenueKiosk = {
  readonly operator: Operator;
  readonly eventId: string;
  readonly kioskId: string;
  /** The kiosk as the console sees it. */
  record(): Promise<KioskRecord>;
  command(kind: 'walk_up' | 'reset'): Promise<void>;
  /** Another kiosk of the same event. */
  another(): Promise<{ kioskId: string; code: string }>;
};

export type KioskOptions = {
  languages?: EventCreate['languages'];
  words?: EventCreate['words'];
  partition?: 'live' | 'test';
  /** The event's verification. Defaults to the company's default. */
  verificationId?: string;
  /** Days for which one photo of each guest is kept. */
  guestPhotoDays?: number;
  /** A shorter check for guests who come back with their ticket. */
  fastLane?: boolean;
  /** What its faces are for; its own, if left out. */
  faces?: Faces;
  /** Template of the badge for each ticket's guest. */
  badge?: string;
  /** The guests' tickets, as CSV. */
  tickets?: string;
};

const HOUR_MS = 3_600_000;

/** The first operator has the PIN, which their kiosks would otherwise have to ask about. */
const withPin = new WeakSet<Gatehouse>();

/** A running event with one kiosk that is not paired yet. */
export async function newKiosk(
  gatehouse: Gatehouse,
  {
    languages = ['en', 'de'],
    words = {},
    partition = 'live',
    verificationId,
    guestPhotoDays,
    fastLane,
    faces,
    badge,
    tickets,
  }: KioskOptions = {},
): Promise<VenueKiosk & { code: string }> {
  const operator = await signIn(gatehouse, 'admin', { companyId: gatehouse.company.company_id });
  const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
  const event = await operator.ok<EventRecord>(`/events?partition=${partition}`, {
    body: {
      name: EVENT_NAME,
      starts_at: at(-HOUR_MS),
      ends_at: at(8 * HOUR_MS),
      languages,
      words,
      ...(verificationId !== undefined && { verification_id: verificationId }),
      ...(guestPhotoDays !== undefined && { guest_photo_days: guestPhotoDays }),
      ...(fastLane !== undefined && { fast_lane: fastLane }),
      ...(faces !== undefined && { faces }),
      ...(badge !== undefined && { badge }),
    } satisfies EventCreate,
  });
  if (tickets !== undefined)
    await operator.ok(`/events/${event.event_id}/ticket-list?partition=${partition}&name=Guests`, {
      method: 'PUT',
      body: tickets,
      headers: { 'content-type': 'text/csv' },
    });
  const add = (name: string) =>
    operator.ok<KioskWithCode>('/kiosks', { body: { name, event_id: event.event_id } });
  const { kiosk, code } = await add('North door');
  const { passphrase } = operator;
  if (!withPin.has(gatehouse)) {
    withPin.add(gatehouse);
    await operator.ok('/me/pin', { method: 'PUT', body: { passphrase, pin: PIN } });
  }
  return {
    operator,
    eventId: event.event_id,
    kioskId: kiosk.kiosk_id,
    code,
    async record() {
      const { items } = await operator.ok<{ items: KioskRecord[] }>('/kiosks');
      const found = items.find(({ kiosk_id }) => kiosk_id === kiosk.kiosk_id);
      if (!found) throw new Error('The kiosk is gone.');
      return found;
    },
    async command(kind) {
      await operator.ok(`/kiosks/${kiosk.kiosk_id}/command`, { body: { kind } });
    },
    async another() {
      const added = await add('South door');
      return { kioskId: added.kiosk.kiosk_id, code: added.code };
    },
  };
}

/**
 * Pairs a device with a code from the console.
 * @returns its token
 */
export async function pairDevice(gatehouse: Gatehouse, code: string): Promise<string> {
  const { device_token } = await sendOk<KioskPairResponse>(`${gatehouse.baseUrl}/kiosk/pair`, {
    body: { code },
  });
  return device_token;
}

/** Makes the page's browser a paired device. Call before `page.goto`. */
export async function actAsDevice(page: Page, token: string): Promise<void> {
  await page.addInitScript((kept) => {
    if (sessionStorage.getItem('paired') !== null) return;
    sessionStorage.setItem('paired', 'once');
    localStorage.setItem('gatehouse.kiosk.token', kept);
  }, token);
}

export const kioskScreen = (page: Page, name: string) => page.locator(`.kiosk[data-screen="${name}"]`);
export const startButton = (page: Page) => page.locator('.attract__start');

/** From the first screen to the consent in a language. */
export async function touchToConsent(page: Page, language: string): Promise<void> {
  const touch = () => page.locator(`.attract [data-language="${language}"]`).click();
  const arrives = () => expect(kioskScreen(page, 'consent')).toBeVisible();
  await touch();
  // A server that took too long was reported as away: the kiosk is on its first screen again, and the guest touches it again.
  await arrives().catch(() => touch().then(arrives));
}

/** As a scanner types: all keys in one moment, also where the page pauses between two of them. */
export const scan = (page: Page, code: string): Promise<void> =>
  page.evaluate((keys) => {
    const at = performance.now();
    for (const key of [...keys, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: at });
      document.body.dispatchEvent(event);
    }
  }, code.split(''));
