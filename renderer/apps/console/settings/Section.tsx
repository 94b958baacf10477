/** What the sections share: a panel with its heading, and reading one setting before it can be shown. */
import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { get } from '../shared/api.ts';
import { useLate } from '../shared/late.ts';
import { ErrorState } from '../shared/states.tsx';

export function Panel({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text !== undefined && <p className="quiet">{text}</p>}
      {children}
    </section>
  );
}

/**
 * Reads a setting, then shows it. `put` shows what a change answered with.
 * @param path below the console's API
 */
export function WithSetting<T>({
  path,
  query,
  refetchMs,
  children,
}: {
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Asks again after so long; false for never. */
  refetchMs?: (setting: T) => number | false;
  children: (setting: T, put: (next: T) => void) => ReactNode;
}) {
  const client = useQueryClient();
  const key = ['settings', path, query];
  const reading = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<T>(path, { ...(query && { query }), signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && refetchMs !== undefined ? refetchMs(state.data) : false,
  });
  const isLate = useLate(reading.isPending);
  if (reading.data !== undefined) {
    return children(reading.data, (next) => {
      client.setQueryData(key, next);
    });
  }
  if (reading.isError) return <ErrorState error={reading.error} retry={() => void reading.refetch()} />;
  return isLate ? <Skeleton height={180} radius={12} /> : null;
}
