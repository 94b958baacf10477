import type { ReviewItem } from '../../../../server/contract/console/reviews.ts';
import { useMe } from '../shared/session.ts';
import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Left } from './Age.tsx';

/** Free, with somebody (and for how long, if nobody renews it), or decided. */
export function CaseState({ item, withLease = false }: { item: ReviewItem; withLease?: boolean }) {
  const words = useWords('reviews');
  const me = useMe().operator.operator_id;
  const decision = item.decided?.decision ?? item.pending?.decision;
  if (decision !== undefined) {
    return (
      <Status
        tone={decision === 'same_person' ? 'refused' : 'passed'}
        icon={item.decided === null ? 'clock' : decision === 'same_person' ? 'cross' : 'check'}
      >
        {words.decided[decision]}
      </Status>
    );
  }
  if (item.held_by === null) {
    return (
      <Status tone="quiet" icon="dash">
        {words.free}
      </Status>
    );
  }
  const isMine = item.held_by.operator_id === me;
  return (
    <Status tone={isMine ? 'action' : 'look'} icon="account">
      {isMine ? words.heldByMe : words.heldBy({ name: item.held_by.name })}
      {withLease && (
        <>
          , {words.leaseLeft} <Left at={item.held_by.until} />
        </>
      )}
    </Status>
  );
}
