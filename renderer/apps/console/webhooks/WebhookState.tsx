import type { CallStatus } from '../../../../server/contract/webhook-types.ts';
import type {
  WebhookDestinationItem,
  WebhookReceiver,
} from '../../../../server/contract/console/webhooks.ts';
import { Status, type Tone } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const TONES: Record<CallStatus, Tone> = { PENDING: 'action', COMPLETED: 'passed', FAILED: 'refused' };

export function CallState({ status }: { status: CallStatus }) {
  const { statuses } = useWords('webhooks');
  return <Status tone={TONES[status]}>{statuses[status]}</Status>;
}

/** Off takes precedence over paused, and paused over failing: the first that stops calls needs attention first. */
export function DestinationState({ item }: { item: WebhookDestinationItem | undefined }) {
  const { states } = useWords('webhooks');
  if (item === undefined) {
    return <Status tone="quiet">{states.unset}</Status>;
  }
  const state = item.receiver?.state ?? 'working';
  // Another configuration may be off at the same receiver.
  const own = state === 'gone' ? 'working' : state;
  return <ReceiverState state={item.disabled_at === null ? own : 'gone'} />;
}

/** Of one that is sent to: on, off, or what delays its calls. */
export function ReceiverState({ state }: { state: WebhookReceiver['state'] }) {
  const { states } = useWords('webhooks');
  if (state === 'working') return <Status tone="passed">{states.on}</Status>;
  return state === 'gone' ? (
    <Status tone="refused">{states.off}</Status>
  ) : (
    <Status tone="look" icon={state === 'paused' ? 'clock' : 'look'}>
      {states[state]}
    </Status>
  );
}
