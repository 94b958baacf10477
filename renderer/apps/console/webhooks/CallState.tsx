import type { CallStatus } from '../../../../server/contract/webhook-types.ts';
import type { IconName } from '../shared/icons.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const LOOK: Record<CallStatus, readonly [Tone, IconName]> = {
  PENDING: ['action', 'clock'],
  COMPLETED: ['passed', 'check'],
  FAILED: ['refused', 'cross'],
};

export function CallState({ status }: { status: CallStatus }) {
  const { statuses } = useWords('webhooks');
  const [tone, icon] = LOOK[status];
  return (
    <Status tone={tone} icon={icon}>
      {statuses[status]}
    </Status>
  );
}
