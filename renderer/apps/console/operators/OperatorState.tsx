import type { OperatorRecord } from '../../../../server/contract/console/operators.ts';
import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

/** Whether the operator can currently sign in. */
export function OperatorState({ operator }: { operator: OperatorRecord }) {
  const { states } = useWords('operators');
  if (operator.disabled_at !== null) {
    return (
      <Status tone="quiet" icon="dash">
        {states.disabled}
      </Status>
    );
  }
  if (operator.locked_until !== null) {
    return (
      <Status tone="look" icon="lock">
        {states.locked}
      </Status>
    );
  }
  return (
    <Status tone="passed" icon="check">
      {states.active}
    </Status>
  );
}
