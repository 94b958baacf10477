/** States, names and figures as both review pages write them. */
import type { ReviewItem, ReviewReason } from '../../../../server/contract/console/reviews.ts';
import type { ReviewsMessages } from '../../../../locales/types/reviews.ts';
import type { Language } from '../../../i18n/language.ts';
import { Sentence } from '../shared/Sentence.tsx';
import { useMe } from '../shared/client/session.ts';
import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Left } from './Age.tsx';

/** Free, assigned, taken (and for how long, unless it is renewed), or decided. */
export function CaseState({ item, withLease = false }: { item: ReviewItem; withLease?: boolean }) {
  const words = useWords('reviews');
  const { decisions } = useWords('outcomes');
  const me = useMe().operator.operator_id;
  const decision = item.decided?.decision ?? item.pending?.decision;
  if (decision !== undefined) {
    return (
      <Status
        tone={decision === 'same_person' ? 'refused' : 'passed'}
        icon={item.decided === null ? 'clock' : decision === 'same_person' ? 'cross' : 'check'}
      >
        {decisions[decision]}
      </Status>
    );
  }
  if (item.held_by === null && item.opinion_by.length > 0) {
    return (
      <Status tone="look" icon="account">
        {item.opinion_by.length > 1 ? words.opinion.admin : words.opinion.needed}
      </Status>
    );
  }
  if (item.held_by === null) {
    // The case's own page shows the assignee beside it.
    const { assigned_to: assigned } = withLease ? { assigned_to: null } : item;
    return (
      <Status tone={assigned?.operator_id === me ? 'action' : 'quiet'} icon={assigned ? 'account' : 'dash'}>
        {assigned ? words.assign.to({ name: assigned.name }) : words.free}
      </Status>
    );
  }
  const { operator_id: holder, name, until } = item.held_by;
  const isMine = holder === me;
  return (
    <Status tone={isMine ? 'action' : 'look'} icon="account">
      {withLease ? (
        <Sentence words={(left) => (isMine ? words.heldByMeFor({ left }) : words.heldByFor({ name, left }))}>
          <Left at={until} />
        </Sentence>
      ) : isMine ? (
        words.heldByMe
      ) : (
        words.heldBy({ name })
      )}
    </Status>
  );
}

/** The customer's name for the person of the run. */
export const runName = (item: ReviewItem, words: ReviewsMessages): string =>
  item.external_id ?? item.identifier ?? words.walkUpGuest;

export const cosineInWords = (cosine: number, language: Language): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cosine);

const isKnown = <T extends string>(known: Readonly<Record<T, string>>, name: string): name is T =>
  Object.hasOwn(known, name);

/** A finding as one sentence. */
export const findingSentence = (reason: string, { findings, otherFinding }: ReviewsMessages): string =>
  isKnown<ReviewReason>(findings, reason) ? findings[reason] : otherFinding({ reason });
