import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

/** Of the verification that requests use when they name none. */
export function DefaultMark() {
  const words = useWords('verifications');
  return (
    <Status tone="action" icon="check">
      {words.isDefault}
    </Status>
  );
}
