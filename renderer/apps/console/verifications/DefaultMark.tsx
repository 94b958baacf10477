import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

/** Marks the verification that requests without one use. */
export function DefaultMark() {
  const words = useWords('verifications');
  return (
    <Status tone="action" icon="check">
      {words.isDefault}
    </Status>
  );
}
