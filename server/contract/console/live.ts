/**
 * `GET /console/api/live?company_id=&partition=`: server-sent events, each named by its topic with `LiveEvent` as data.
 * An event says that something of the topic may have changed; pages ask again (with the background header).
 */
export const LIVE_TOPICS = ['session', 'case', 'webhook', 'usage', 'maintenance', 'audit', 'venue'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];
/** `version` names the announced state. A page that has it from the reply to its own change need not ask again. */
export type LiveEvent = { topic: LiveTopic; version?: string };
/**
 * Header of the reply to a change: a JSON object with the version of each topic in `CHANGE_TOPICS`. A version that starts
 * with `/` stands for all that end with it.
 */
export const LIVE_VERSIONS_HEADER = 'x-live-versions';
export const CHANGE_TOPICS = ['audit', 'venue', 'usage'] as const satisfies readonly LiveTopic[];
export type ChangeVersions = { readonly [Topic in (typeof CHANGE_TOPICS)[number]]?: string };
/** Sent when the operator's session is over: the page goes to sign-in and does not connect again. */
export const LIVE_SIGNED_OUT = 'signed-out';
