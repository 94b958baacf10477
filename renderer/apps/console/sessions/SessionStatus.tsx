import type { SessionStatus as StatusName } from '../../../../server/contract/console/sessions.ts';
import type { IconName } from '../shared/icons.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const LOOKS: Record<StatusName, readonly [Tone, IconName]> = {
  open: ['action', 'clock'],
  in_review: ['look', 'reviews'],
  approved: ['passed', 'check'],
  flagged: ['look', 'check'],
  locked: ['quiet', 'lock'],
  revoked: ['quiet', 'dash'],
  denied: ['refused', 'cross'],
  declined: ['quiet', 'cross'],
  expired: ['quiet', 'clock'],
  cancelled: ['quiet', 'dash'],
};

export function SessionStatus({ status }: { status: StatusName }) {
  const { names } = useWords('outcomes');
  const [tone, icon] = LOOKS[status];
  return (
    <Status tone={tone} icon={icon}>
      {names[status]}
    </Status>
  );
}
