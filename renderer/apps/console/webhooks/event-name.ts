import { isV3Event, type V3Event, type WebhookEventType } from '../../../../server/contract/webhook-types.ts';
import type { useWords } from '../shared/words.tsx';

/** Messages have no dots in their names. */
const KEYS = {
  'run.settled': 'settled',
  'run.review_opened': 'reviewOpened',
  'review.decided': 'reviewDecided',
  'pass.locked': 'locked',
  'pass.unlocked': 'unlocked',
  'person.disconnected': 'disconnected',
  'person.erased': 'erased',
  'usage.cap_reached': 'capReached',
} as const satisfies Record<V3Event, string>;

type Words = Pick<ReturnType<typeof useWords<'webhooks'>>, 'events' | 'v3Events'>;

/** What an event of any generation reports. */
export const eventName = ({ events, v3Events }: Words, type: WebhookEventType): string =>
  isV3Event(type) ? v3Events[KEYS[type]] : events[type];
