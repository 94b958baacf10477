/**
 * `GET /console/api/live?company_id=&partition=`: server-sent events, each named by its topic with `LiveEvent` as data.
 * An event says that something of the topic may have changed; pages ask again (with the background header).
 */
export const LIVE_TOPICS = ['session', 'case', 'webhook', 'usage', 'maintenance', 'audit', 'venue'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];
/** `version` names the announced state. A page that already shows it need not ask again. */
export type LiveEvent = { topic: LiveTopic; version?: string };
/** Topics whose changes reach the page in the reply to the change as well. */
export const CHANGE_TOPICS = ['audit', 'venue', 'usage'] as const satisfies readonly LiveTopic[];
/** A version of each. One that starts with `/` stands for all that end with it. */
export type ChangeVersions = { readonly [Topic in (typeof CHANGE_TOPICS)[number]]?: string };
/** First event of a stream: `ChangeVersions` from which on changes are announced. */
export const LIVE_BASELINE = 'baseline';
/**
 * Header of the reply to a change: JSON with the versions before and after it. A page that knew the one before knows the one
 * after; another page's change in between makes it ask again.
 */
export const LIVE_VERSIONS_HEADER = 'x-live-versions';
export type VersionChange = { before: ChangeVersions; after: ChangeVersions };
/** Sent when the operator's session is over: the page goes to sign-in and does not connect again. */
export const LIVE_SIGNED_OUT = 'signed-out';
