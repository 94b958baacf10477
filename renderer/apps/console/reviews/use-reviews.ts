/** What the review pages ask for and change. Every key starts with `reviews`: whatever changes a case makes them old. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import {
  type NextReview,
  REVIEW_REASONS,
  REVIEW_STATES,
  type ReviewCaseDetail,
  type ReviewFigures,
  type ReviewItem,
  type UndoableReviews,
} from '../../../../server/contract/console/reviews.ts';
import { get } from '../shared/api.ts';
import { useCursorList, type RowList } from '../shared/list.ts';
import { useScopedSend, useScopeFilter } from '../shared/scoped.ts';
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
  return useCursorList<ReviewItem>([KEY, 'list'], '/reviews', { ...filters, ...useScopeFilter() });
}

export function useFigures() {
  const query = useScopeFilter();
  return useQuery({
    queryKey: [KEY, 'figures', query],
    queryFn: ({ signal }) => get<ReviewFigures>('/reviews/figures', { query, signal }),
    refetchInterval: FIGURES_EVERY_MS,
  });
}

/** One's own decisions that have no effect yet. */
export function useUndoable() {
  const query = useScopeFilter();
  return useQuery({
    queryKey: [KEY, 'undoable', query],
    queryFn: ({ signal }) => get<UndoableReviews>('/reviews/undoable', { query, signal }),
  });
}

export function useReviewCase(caseId: string) {
  const query = useScopeFilter();
  return useQuery({
    queryKey: [KEY, 'case', caseId, query],
    queryFn: ({ signal }) => get<ReviewCaseDetail>(`/reviews/${caseId}`, { query, signal }),
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
  const send = useScopedSend();
  const goTo = useGoToCase();
  return useReviewAction(async () => {
    const { case_id } = await send<NextReview>('POST', '/reviews/next');
    goTo(case_id);
    return case_id;
  });
}

/** Takes one's last decision back and shows its case. */
export function useUndo() {
  const send = useScopedSend();
  const goTo = useGoToCase();
  return useReviewAction(async (caseId: string) => {
    await send('POST', `/reviews/${caseId}/undo`);
    goTo(caseId);
  });
}
