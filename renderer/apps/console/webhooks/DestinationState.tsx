import type { WebhookDestinationItem } from '../../../../server/contract/console/webhooks.ts';
import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

/** Off takes precedence over paused, and paused over failing: the first that stops calls needs attention first. */
export function DestinationState({ item }: { item: WebhookDestinationItem | undefined }) {
  const { states } = useWords('webhooks');
  if (item === undefined) {
    return (
      <Status tone="quiet" icon="dash">
        {states.unset}
      </Status>
    );
  }
  if (item.disabled_at !== null) {
    return (
      <Status tone="refused" icon="cross">
        {states.off}
      </Status>
    );
  }
  const state = item.receiver?.state ?? 'working';
  if (state === 'working') {
    return (
      <Status tone="passed" icon="check">
        {states.on}
      </Status>
    );
  }
  return (
    <Status tone="look" icon={state === 'paused' ? 'clock' : 'look'}>
      {states[state]}
    </Status>
  );
}
