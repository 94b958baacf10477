/** The page's state in its address: filters, the open row, the company and the partition. Plain text, no encoding. */
import { useCallback } from 'react';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { fromField } from '../time/time.ts';

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

const DAY_MS = 86_400_000;
export const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Whole days of the venue in the address as start and end times. The API excludes `to`, but the person means the whole last
 * day.
 */
export const dayRange = (search: Search): { from: string | undefined; to: string | undefined } => ({
  from: dayStart(search['from'], 0),
  to: dayStart(search['to'], DAY_MS),
});

/** @param laterMs whole days */
function dayStart(day: string | undefined, laterMs: number): string | undefined {
  const asUtcMs = day !== undefined && DAY.test(day) ? Date.parse(`${day}T00:00Z`) : NaN;
  if (Number.isNaN(asUtcMs)) return undefined;
  // As a date without a zone, so that a day of 23 hours is a day.
  return fromField(new Date(asUtcMs + laterMs).toISOString().slice(0, FIELD_CHARS));
}

/** `YYYY-MM-DDTHH:MM` */
const FIELD_CHARS = 16;
