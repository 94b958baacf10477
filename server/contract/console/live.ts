/**
 * `GET /console/api/live?company_id=&partition=`: server-sent events, each named by its topic with `LiveEvent` as data.
 * An event says that something of the topic may have changed; pages ask again (with the background header).
 */
export const LIVE_TOPICS = ['session', 'case', 'webhook', 'usage', 'maintenance', 'audit', 'venue'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];
/** `version` names the state that was announced; a reply that carries the same has told of it already. */
export type LiveEvent = { topic: LiveTopic; version?: string };
/** Sent when the operator's session is over: the page goes to sign-in and does not connect again. */
export const LIVE_SIGNED_OUT = 'signed-out';
