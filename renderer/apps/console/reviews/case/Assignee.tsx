import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reviews } from '../../../../../server/contract/routes/console/reviews.ts';
import type { ReviewItem } from '../../../../../server/contract/console/reviews.ts';
import { useScopedCall, useScopeFilter } from '../../shared/client/session.ts';
import { reading } from '../../shared/client/api.ts';
import { ErrorLine } from '../../shared/states.tsx';
import { useWords } from '../../shared/words.tsx';
import { useReviewAction } from '../use-reviews.ts';

const REVIEWERS_STALE_MS = 60_000;

/** Whom an undecided case is assigned to: they get it first as their next case. */
export function Assignee({ item }: { item: ReviewItem }) {
  const { assign: words } = useWords('reviews');
  const query = useScopeFilter();
  const scopedCall = useScopedCall();
  const reviewers = useQuery({
    ...reading(['reviewers', query], reviews.reviewers, { query }),
    staleTime: REVIEWERS_STALE_MS,
  });
  const assigning = useReviewAction((operatorId: string | null) =>
    scopedCall(reviews.assign, { params: { case_id: item.case_id }, body: { operator_id: operatorId } }),
  );
  const { assigned_to: assigned } = item;
  const known = reviewers.data?.items ?? [];
  // One who can no longer review is still shown as the assignee.
  const others =
    assigned !== null && !known.some(({ operator_id }) => operator_id === assigned.operator_id)
      ? [assigned]
      : [];
  return (
    <div className="case__assignee">
      <NativeSelect
        size="xs"
        aria-label={words.label}
        value={assigned?.operator_id ?? ''}
        data={[
          { value: '', label: words.nobody },
          ...[...known, ...others].map(({ operator_id, name }) => ({
            value: operator_id,
            label: words.to({ name }),
          })),
        ]}
        onChange={({ currentTarget }) =>
          assigning.mutate(currentTarget.value === '' ? null : currentTarget.value)
        }
      />
      <ErrorLine error={assigning.error} />
    </div>
  );
}
