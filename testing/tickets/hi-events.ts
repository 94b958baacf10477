/** Hi.Events, as far as the link of a check-in list reaches. */
import type { Said, StandIn } from './stand-in.ts';

export const HI_LIST = 'cil_abcDEF1234567';

export type HiAttendee = {
  id: number;
  public_id: string;
  first_name: string;
  last_name: string;
  status: string;
  order_id: number;
};

export class HiEvents implements StandIn {
  url = 'https://tickets.example';
  attendees: HiAttendee[] = [];
  isActive = true;
  nowMs = Date.UTC(2027, 0, 1);
  checkIns = new Map<string, { id: string; checked_in_at: string }>();
  /** How often each guest was checked in. */
  made: string[] = [];
  fault: StandIn['fault'];

  get link(): string {
    return `${this.url}/check-in/${HI_LIST}`;
  }

  handle: StandIn['handle'] = ({ url, method = 'GET', body }) => {
    const { pathname, searchParams } = new URL(url);
    const base = `/api/public/check-in-lists/${HI_LIST}`;
    if (!pathname.startsWith(base)) return { http: 404, body: { message: 'Not found' } };
    if (!this.isActive) return { http: 403, body: { message: 'Die Liste ist nicht aktiv.' } };
    if (pathname === base) return { http: 200, body: { data: { name: 'Main door', is_active: true } } };
    if (pathname === `${base}/attendees`) {
      const perPage = Math.min(Number(searchParams.get('per_page')), 250);
      const from = (Number(searchParams.get('page')) - 1) * perPage;
      return { http: 200, body: { data: this.attendees.slice(from, from + perPage) } };
    }
    if (pathname === `${base}/check-ins` && method === 'POST')
      return this.#checkIn(body as { attendees: { public_id: string }[] });
    const [, id] = /\/check-ins\/(.+)$/.exec(pathname) ?? [];
    if (method === 'DELETE' && id !== undefined) {
      for (const [code, { id: known }] of this.checkIns) if (known === id) this.checkIns.delete(code);
      return { http: 204 };
    }
    return { http: 404 };
  };

  #checkIn({ attendees }: { attendees: { public_id: string }[] }): Said {
    if (attendees.some(({ public_id: code }) => !this.attendees.some((one) => one.public_id === code)))
      return { http: 409, body: { message: 'Ungültiger Teilnehmercode' } };
    const errors: Record<string, string> = {};
    const data = attendees.map(({ public_id: code }) => {
      const known = this.checkIns.get(code);
      if (known) {
        errors[code] = 'Der Teilnehmer ist bereits eingecheckt';
        return known;
      }
      const made = { id: `ci_${this.made.length}`, checked_in_at: new Date(this.nowMs).toISOString() };
      this.checkIns.set(code, made);
      this.made.push(code);
      return made;
    });
    return { http: 200, body: { data, errors } };
  }
}
