/** The page's state in its address: filters, the open row, the company and the partition. Plain text, no encoding. */
import { useCallback } from 'react';
import { useNavigate, useRouterState } from '@tanstack/react-router';

export type Search = Readonly<Record<string, string>>;

/** For the router: `?a=1` stays the text "1", and addresses stay readable. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(
    Object.entries(search).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
    ),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

export const useSearch = (): Search => useRouterState({ select: (state) => state.location.search as Search });

type Change = Readonly<Record<string, string | undefined>>;

/**
 * Changes parts of the address; undefined removes one. Filters replace the history entry while typing; opening or
 * leaving something adds one, so that "back" undoes it.
 */
export function useChangeSearch(): (change: Change, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (change, { replace = false } = {}) => {
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        search: (before: Search) => ({ ...before, ...change }),
      });
    },
    [navigate],
  );
}
