/**
 * `GET /console/api/live?company_id=&partition=&page=`: server-sent events, each named by its topic, without data. An event
 * says that something in the topic may have changed; pages then refresh (with the background header).
 */
import { Type } from 'typebox';

export const CHANGE_TOPICS = [
  'session',
  'case',
  'webhook',
  'usage',
  'maintenance',
  'audit',
  'venue',
  'health',
  'codes',
] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];
/** Topics of which the reply to a change shows what it changed. `shows` of an operation adds to them. */
export const REPLY_TOPICS = ['audit', 'venue', 'usage'] as const satisfies readonly ChangeTopic[];
/**
 * Header of a change, and parameter of the stream: names the page. What the page itself changes is not announced to it if the
 * reply shows it.
 */
export const PAGE_HEADER = 'x-page';
export const PageId = Type.String({ pattern: '^[\\w-]{1,36}$' });
/** Sent when the operator's session ends: the page shows the sign-in and does not reconnect. */
export const SIGNED_OUT_EVENT = 'signed-out';
/** Ends the stream: its company was removed, or is hidden from the operator. */
export const COMPANY_GONE_EVENT = 'company-gone';
