/** What the review pages ask for and change. Every key starts with `reviews`: whatever changes a case makes them old. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import {
  REVIEW_REASONS,
  REVIEW_STATES,
  type ReviewItem,
} from '../../../../server/contract/console/reviews.ts';
import { call } from '../shared/api.ts';
import { useCursorList, type RowList } from '../shared/list.ts';
import { useScopedCall, useScopeFilter } from '../shared/scoped.ts';
import { useSearch, type Search } from '../shared/search.ts';

const KEY = 'reviews';
/** Ages and figures move without anything happening. */
const FIGURES_EVERY_MS = 30_000;

const oneOf = (values: readonly string[], value: string | undefined): string | undefined =>
  value !== undefined && values.includes(value) ? value : undefined;

/** The address's filters as the API takes them; what it does not know is no filter. */
export const reviewFilters = (search: Search) => ({
  state: oneOf(REVIEW_STATES, search['state']),
  reason: oneOf(REVIEW_REASONS, search['reason']),
  group: search['group'],
});

/** The queue of the address's filters. */
export function useQueue(): RowList<ReviewItem> {
  const filters = reviewFilters(useSearch());
  return useCursorList([KEY, 'list'], { ...filters, ...useScopeFilter() }, (input) =>
    call(reviews.list, input),
  );
}

export function useFigures() {
  const query = useScopeFilter();
  return useQuery({
    queryKey: [KEY, 'figures', query],
    queryFn: ({ signal }) => call(reviews.figures, { query, signal }),
    refetchInterval: FIGURES_EVERY_MS,
  });
}

/** One's own decisions that have no effect yet. */
export function useUndoable() {
  const query = useScopeFilter();
  return useQuery({
    queryKey: [KEY, 'undoable', query],
    queryFn: ({ signal }) => call(reviews.undoable, { query, signal }),
  });
}

export function useReviewCase(caseId: string) {
  const query = useScopeFilter();
  return useQuery({
    queryKey: [KEY, 'case', caseId, query],
    queryFn: ({ signal }) => call(reviews.read, { params: { case_id: caseId }, query, signal }),
  });
}

/** Goes to a case, or to the queue (null); filters and scope stay. */
export function useGoToCase(): (caseId: string | null) => void {
  const navigate = useNavigate();
  return useCallback(
    (caseId) =>
      void navigate({
        to: caseId === null ? '/reviews' : `/reviews/${caseId}`,
        search: (before: Search) => before,
      }),
    [navigate],
  );
}

/** A change of a case; afterwards everything about the reviews is asked again, whether it succeeded or not. */
export function useReviewAction<Input = void, Output = unknown>(act: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Takes the oldest free case and goes there; to the queue where none is free. */
export function useTakeNext() {
  const call = useScopedCall();
  const goTo = useGoToCase();
  return useReviewAction(async () => {
    const { case_id } = await call(reviews.next);
    goTo(case_id);
    return case_id;
  });
}

/** Takes one's last decision back and shows its case. */
export function useUndo() {
  const call = useScopedCall();
  const goTo = useGoToCase();
  return useReviewAction(async (caseId: string) => {
    await call(reviews.undo, { params: { case_id: caseId } });
    goTo(caseId);
  });
}
