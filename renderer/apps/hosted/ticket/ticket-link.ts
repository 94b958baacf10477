import { decoded } from '../../../../server/contract/hosted-link.ts';

/**
 * The link of a ticket, `/t/{event}#{code}`: the code is in the fragment, which neither servers nor referrers see. Empty if the
 * guest has to enter it.
 * @param address absolute address of the page
 */
export function readTicketLink(address: string): { eventId: string; code: string } {
  const { pathname, hash } = new URL(address);
  return { eventId: pathname.split('/')[2] ?? '', code: decoded(hash.slice(1)) };
}
