/**
 * `GET /console/api/live?company_id=&partition=`: server-sent events, each named by its topic with `ChangeEvent` as
 * data. An event says that something in the topic may have changed; pages then refresh (with the background header).
 */
export const CHANGE_TOPICS = [
  'session',
  'case',
  'webhook',
  'usage',
  'maintenance',
  'audit',
  'venue',
  'health',
] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];
/** `version` names the announced state. A page that already shows it does not refresh. */
export type ChangeEvent = { topic: ChangeTopic; version?: string };
/** Topics whose changes also reach the page in the reply to the change. */
export const REPLY_TOPICS = ['audit', 'venue', 'usage'] as const satisfies readonly ChangeTopic[];
/** One version per topic. A key that starts with `/` covers all topics that end with it. */
export type ChangeVersions = { readonly [Topic in (typeof REPLY_TOPICS)[number]]?: string };
/** First event of a stream: the `ChangeVersions` from which changes are announced. */
export const BASELINE_EVENT = 'baseline';
/**
 * Header of the reply to a change: JSON with the versions before and after it. A page that had the version before has
 * the version after; if another page changed something in between, it refreshes.
 */
export const VERSIONS_HEADER = 'x-live-versions';
export type VersionChange = { before: ChangeVersions; after: ChangeVersions };
/** Sent when the operator's session ends: the page shows the sign-in and does not reconnect. */
export const SIGNED_OUT_EVENT = 'signed-out';
/** Ends the stream: its company was removed, or is hidden from the operator, who still sees others. */
export const COMPANY_GONE_EVENT = 'company-gone';
