/** What the review pages read and change. Every key starts with `reviews`, so a change of a case invalidates them all. */
import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import {
  REVIEW_REASONS,
  REVIEW_STATES,
  type ReviewCaseDetail,
  type ReviewDecide,
  type ReviewsDecide,
  type ReviewItem,
  type ReviewPage,
  type ReviewRow,
  type ReviewItems,
} from '../../../../server/contract/console/reviews.ts';
import { call, reading } from '../shared/client/api.ts';
import { cursorList, useCursorList, type RowList } from '../shared/lists/list.ts';
import { type ScopeFilter, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useSearch, type Search } from '../shared/lists/search.ts';
import { serverNowMs } from '../shared/time/server-time.ts';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

const KEY = 'reviews';
const MIN_REFETCH_MS = 5_000;

const oneOf = (values: readonly string[], value: string | undefined): string | undefined =>
  value !== undefined && values.includes(value) ? value : undefined;

/** The address's filters for the API; unknown values are ignored. */
export const reviewFilters = (search: Search) => ({
  state: oneOf(REVIEW_STATES, search['state']),
  reason: oneOf(REVIEW_REASONS, search['reason']),
  group: search['group'],
});

const queueOf = (scope: ScopeFilter, search: Search) =>
  cursorList([KEY, 'list'], { ...reviewFilters(search), ...scope }, (input) => call(reviews.list, input));

/** The queue of the address's filters. */
export function useQueue(): RowList<ReviewRow> {
  return useCursorList(queueOf(useScopeFilter(), useSearch()));
}

const undoableOf = (query: ScopeFilter) => reading([KEY, 'undoable', query], reviews.undoable, { query });

const agreementOf = (query: ScopeFilter) => reading([KEY, 'agreement', query], reviews.agreement, { query });

/** How often others decided differently. */
export const useAgreement = () => useQuery(agreementOf(useScopeFilter()));

/** What the queue reads first. */
export function prefetch({ client, scope }: Visit): void {
  readAhead(client.infiniteQuery(queueOf(scope, {})));
  readAhead(client.query(undoableOf(scope)));
  readAhead(client.query(agreementOf(scope)));
}

/** The operator's own decisions that have not taken effect yet. */
export function useUndoable() {
  return useQuery(undoableOf(useScopeFilter()));
}

/** Milliseconds until the known end of another reviewer's lease; false if nobody holds the case. */
function leaseLeftMs(item: ReviewItem | undefined): number | false {
  if (!item?.held_by) return false;
  return Math.max(MIN_REFETCH_MS, Date.parse(item.held_by.until) - serverNowMs());
}

export function useReviewCase(caseId: string) {
  const query = useScopeFilter();
  return useQuery({
    ...reading([KEY, 'case', caseId, query], reviews.read, { params: { case_id: caseId }, query }),
    // Renewals are not announced: when the displayed lease ends, its holder may have renewed it.
    refetchInterval: ({ state }) => leaseLeftMs(state.data?.item),
  });
}

/** Opens a case, or the queue (null); filters and scope stay. */
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

/** Shows the reply to a change of a case. The event stream announces other effects. */
function showItem(client: QueryClient, item: ReviewItem): void {
  client.setQueriesData<ReviewCaseDetail>({ queryKey: [KEY, 'case', item.case_id] }, (detail) =>
    detail === undefined ? undefined : { ...detail, item },
  );
  client.setQueriesData<InfiniteData<ReviewPage>>({ queryKey: [KEY, 'list'] }, (list) =>
    withRows(list, (rows) => rows.map((row) => (row.case_id === item.case_id ? { ...row, ...item } : row))),
  );
}

const withRows = (
  list: InfiniteData<ReviewPage> | undefined,
  change: (rows: ReviewRow[]) => ReviewRow[],
): InfiniteData<ReviewPage> | undefined =>
  list && { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) };

/** A change of a case whose reply is its new state; after a failure all review queries are refreshed. */
export function useReviewAction<Input = void>(act: (input: Input) => Promise<ReviewItem>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (item) => showItem(client, item),
    onError: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Adds a note, which the case then shows. */
export function useNote(caseId: string, onSaved: () => void) {
  const client = useQueryClient();
  const call = useScopedCall();
  return useMutation({
    mutationFn: (text: string) => call(reviews.addNote, { params: { case_id: caseId }, body: { text } }),
    onSuccess: onSaved,
    onSettled: () => client.invalidateQueries({ queryKey: [KEY, 'case', caseId] }),
  });
}

/** Takes the oldest free case and opens it; opens the queue if none is free. */
export function useTakeNext() {
  const client = useQueryClient();
  const call = useScopedCall();
  const goTo = useGoToCase();
  return useMutation({
    mutationFn: () => call(reviews.next),
    onSuccess: ({ case_id: caseId }) => goTo(caseId),
    onError: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Decides a case and shows the next at once, from a single reply; opens the queue if none is free. */
export function useDecide(caseId: string) {
  const client = useQueryClient();
  const call = useScopedCall();
  const goTo = useGoToCase();
  const scope = useScopeFilter();
  return useMutation({
    mutationFn: ({ saved: _saved, ...decision }: Omit<ReviewDecide, 'take_next'> & { saved: () => void }) =>
      call(reviews.decide, { params: { case_id: caseId }, body: { ...decision, take_next: true } }),
    onSuccess: ({ decided, next }, { saved }) => {
      saved();
      showItem(client, decided);
      client.setQueriesData<InfiniteData<ReviewPage>>({ queryKey: [KEY, 'list'] }, (list) =>
        // A case that needs a second opinion stays in the queue.
        withRows(list, (rows) => rows.filter((row) => row.case_id !== caseId || decided.pending === null)),
      );
      // If the announcement came before this reply, the list may contain the decision already.
      client.setQueryData<ReviewItems>([KEY, 'undoable', scope], (before) => ({
        items: [
          // An opinion waits for another reviewer, and is taken back on its own page.
          ...(decided.pending === null ? [] : [decided]),
          ...(before?.items ?? []).filter(({ case_id }) => case_id !== caseId),
        ],
      }));
      if (next !== null && next.detail !== null) {
        client.setQueryData([KEY, 'case', next.case_id, scope], next.detail);
        showItem(client, next.detail.item);
      }
      // The figures are not visible now.
      void client.invalidateQueries({ queryKey: [KEY, 'figures'], refetchType: 'none' });
      goTo(next?.case_id ?? null);
    },
    onError: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Decides several cases of the list, which then leave it. */
export function useDecideTogether(onDecided: () => void) {
  const client = useQueryClient();
  const call = useScopedCall();
  return useMutation({
    mutationFn: (body: ReviewsDecide) => call(reviews.decideTogether, { body }),
    onSuccess: onDecided,
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Takes the operator's last decision back, with all that were made in the same call, and shows its case. */
export function useUndo() {
  const client = useQueryClient();
  const call = useScopedCall();
  const goTo = useGoToCase();
  return useMutation({
    mutationFn: (caseIds: string[]) => call(reviews.undoTogether, { body: { case_ids: caseIds } }),
    onSuccess: ({ items }, caseIds) => {
      for (const item of items) showItem(client, item);
      client.setQueriesData<ReviewItems>(
        { queryKey: [KEY, 'undoable'] },
        (before) => before && { items: before.items.filter(({ case_id }) => !caseIds.includes(case_id)) },
      );
      // The cases are back in the queue, at places that the page does not know.
      void client.invalidateQueries({ queryKey: [KEY, 'list'] });
      goTo(items.length === 1 ? (items[0]?.case_id ?? null) : null);
    },
    onError: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Applies the operator's own decisions at once: a guest waits at the door. */
export function useApplyNow() {
  const client = useQueryClient();
  const call = useScopedCall();
  return useMutation({
    mutationFn: (caseIds: string[]) => call(reviews.applyNow, { body: { case_ids: caseIds } }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
