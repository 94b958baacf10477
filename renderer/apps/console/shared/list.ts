/** Lists as tables show them: whole, or page by page with a cursor. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

type Page<T> = { items: T[]; next_cursor: string | null };

/** What `DataTable` shows of a list. */
export type RowList<T> = {
  rows: readonly T[];
  isPending: boolean;
  /** Other filters are on their way; the rows shown are those of the filters before. */
  isStale: boolean;
  error: unknown;
  retry: () => void;
  /** Undefined on the last page. */
  loadMore: (() => void) | undefined;
  isLoadingMore: boolean;
};

/** A list that is there as a whole. */
export const wholeList = <T>(rows: readonly T[]): RowList<T> => ({
  rows,
  isPending: false,
  isStale: false,
  error: null,
  retry: () => undefined,
  loadMore: undefined,
  isLoadingMore: false,
});

type Filters = Readonly<Record<string, string | undefined>>;
type PageInput<F> = { query: F & { cursor?: string | undefined }; signal: AbortSignal };

/**
 * @param key starts with the topic that makes the list old (`useLive`)
 * @param filters part of the key: other filters are another list
 * @param read asks for one page
 */
export function useCursorList<T, F extends Filters = Filters>(
  key: readonly string[],
  filters: F,
  read: (input: PageInput<F>) => Promise<Page<T>>,
): RowList<T> {
  const query = useInfiniteQuery({
    queryKey: [...key, filters],
    queryFn: ({ pageParam, signal }) =>
      read({ query: { ...filters, cursor: pageParam === '' ? undefined : pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
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
