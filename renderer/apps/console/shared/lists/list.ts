/** Lists as tables show them: complete, or page by page with a cursor. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  type UseQueryResult,
} from '@tanstack/react-query';

type Page<T> = { items: T[]; next_cursor: string | null };

/** Choices of a filter, which change rarely, may be as old. */
export const CHOICES_STALE_MS = 60_000;

/** The data that `DataTable` shows. */
export type RowList<T> = {
  rows: readonly T[];
  isPending: boolean;
  /** Other filters are loading; the rows still match the previous filters. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
  /** Undefined on the last page. */
  loadMore: (() => void) | undefined;
  isLoadingMore: boolean;
};

/** A complete list. @param query that reads it; left out if the rows are known already */
export const wholeList = <T>(rows: readonly T[], query?: UseQueryResult): RowList<T> => ({
  rows,
  isPending: query?.isPending === true,
  isStale: query?.isPlaceholderData === true,
  error: query?.data === undefined ? (query?.error ?? null) : null,
  retry: () => void query?.refetch(),
  loadMore: undefined,
  isLoadingMore: false,
});

type Filters = Readonly<Record<string, string | undefined>>;
type PageInput<F> = { query: F & { cursor?: string | undefined }; signal: AbortSignal };

/**
 * @param key starts with the topic that invalidates the list (`useChanges`)
 * @param filters part of the key: other filters are another list
 * @param read loads one page
 */
export const cursorList = <T, F extends Filters = Filters>(
  key: readonly string[],
  filters: F,
  read: (input: PageInput<F>) => Promise<Page<T>>,
) =>
  infiniteQueryOptions({
    queryKey: [...key, filters] as QueryKey,
    queryFn: ({ pageParam, signal }) =>
      read({ query: { ...filters, cursor: pageParam === '' ? undefined : pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });

/** The rows of a list. */
export function useCursorList<T>(options: ReturnType<typeof cursorList<T>>): RowList<T> {
  const query = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  return {
    rows: query.data?.pages.flatMap((page) => page.items) ?? [],
    isPending: query.isPending,
    isStale: query.isPlaceholderData,
    error: query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
    loadMore: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    isLoadingMore: query.isFetchingNextPage,
  };
}
