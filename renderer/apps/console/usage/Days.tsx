import { Button } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usage } from '../../../../server/contract/routes/console/usage.ts';
import type { UsageDay } from '../../../../server/contract/console/usage.ts';
import { reading } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { wholeList } from '../shared/lists/list.ts';
import { EmptyState, Stat, Unread } from '../shared/states.tsx';
import { calendarDay } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { UsageChart } from './UsageChart.tsx';

export type RangeFilter = Readonly<
  Record<'company_id' | 'partition', string> & Partial<Record<'from' | 'to', string | undefined>>
>;

/** Totals of many days, which each check of a busy venue would have read again. */
export const DAYS_REFRESH_MS = 60_000;

export const daysOf = (filter: RangeFilter) =>
  queryOptions({
    ...reading(['usage', 'days', filter], usage.days, { query: filter }),
    placeholderData: keepPreviousData,
  });

/** The range in numbers, as a chart, and as a table in a disclosure. */
export function Days({ filter }: { filter: RangeFilter }) {
  const words = useWords('usage');
  const [isTable, setTable] = useState(false);
  const query = useQuery({ ...daysOf(filter), refetchInterval: DAYS_REFRESH_MS });
  const { data, isPlaceholderData } = query;
  if (data === undefined) return <Unread query={query} />;
  const days = data.items;
  const sums = sumOf(days);
  if (sums.approved + sums.in_review + sums.denied + sums.counted === 0) {
    return <EmptyState icon="usage" title={words.emptyTitle} text={words.emptyText} />;
  }
  return (
    <section className="panel" aria-busy={isPlaceholderData}>
      <Totals sums={sums} />
      <UsageChart days={days} />
      <div className="usage-more">
        <p className="quiet">{words.note}</p>
        <Button variant="default" size="xs" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? words.hideTable : words.showTable}
        </Button>
      </div>
      {isTable && <DayTable days={days} />}
    </section>
  );
}

type Sums = Omit<UsageDay, 'day'>;

const sumOf = (days: readonly UsageDay[]): Sums =>
  days.reduce(
    (sum, day) => ({
      counted: sum.counted + day.counted,
      approved: sum.approved + day.approved,
      in_review: sum.in_review + day.in_review,
      denied: sum.denied + day.denied,
    }),
    { counted: 0, approved: 0, in_review: 0, denied: 0 },
  );

function Totals({ sums }: { sums: Sums }) {
  const words = useWords('usage');
  const { names } = useWords('outcomes');
  const number = new Intl.NumberFormat(useLanguage().language);
  return (
    <dl className="usage-stats">
      <Stat label={words.countedShort} value={number.format(sums.counted)} />
      <Stat label={names.approved} value={number.format(sums.approved)} />
      <Stat label={names.in_review} value={number.format(sums.in_review)} />
      <Stat label={names.denied} value={number.format(sums.denied)} />
    </dl>
  );
}

/** Newest first, for reading. */
function DayTable({ days }: { days: readonly UsageDay[] }) {
  const words = useWords('usage');
  const { names } = useWords('outcomes');
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language);
  const amount = (id: keyof Sums, title: string): Column<UsageDay> => ({
    id,
    title,
    numeric: true,
    cell: (row) => number.format(row[id]),
  });
  return (
    <DataTable
      label={words.days}
      columns={[
        {
          id: 'day',
          title: words.day,
          cell: ({ day }) => calendarDay(day, { dateStyle: 'medium' }, language),
        },
        amount('counted', words.countedShort),
        amount('approved', names.approved),
        amount('in_review', names.in_review),
        amount('denied', names.denied),
      ]}
      list={wholeList(days.toReversed())}
      rowId={({ day }) => day}
      empty={null}
    />
  );
}
