import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { usage } from '../../../../server/contract/routes/console/usage.ts';
import { USAGE_PARTS, type UsagePart, type UsageParts } from '../../../../server/contract/console/usage.ts';
import type { OutcomesMessages } from '../../../../locales/types/outcomes.ts';
import type { UsageMessages } from '../../../../locales/types/usage.ts';
import { messageFor } from '../../../i18n/catalogues.ts';
import { call } from '../shared/client/api.ts';
import { DataTable } from '../shared/lists/DataTable.tsx';
import { wholeList } from '../shared/lists/list.ts';
import { type Search, useChangeSearch, useSearch } from '../shared/lists/search.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';
import { DAYS_REFRESH_MS, type RangeFilter } from './Days.tsx';

/** Key of the row for all that are not listed. */
const REST = '*';

export const partsOf = (filter: RangeFilter, by: UsagePart) =>
  queryOptions({
    queryKey: ['usage', 'parts', by, filter],
    queryFn: async ({ signal }) => ({
      by,
      parts: await call(usage.parts, { query: { ...filter, by }, signal }),
    }),
    placeholderData: keepPreviousData,
  });

/** How the address splits the range. */
export const partIn = (search: Search): UsagePart =>
  USAGE_PARTS.find((known) => known === search['by']) ?? 'verification';

/** The range split by verification, group or outcome. */
export function Parts({ filter }: { filter: RangeFilter }) {
  const words = useWords('usage');
  const outcomes = useWords('outcomes');
  const { language } = useLanguage();
  const search = useSearch();
  const change = useChangeSearch();
  const nameOf = useVerificationName();
  const by = partIn(search);
  const query = useQuery({ ...partsOf(filter, by), refetchInterval: DAYS_REFRESH_MS });
  const parts = query.data?.parts;
  const rows = parts?.items ?? [];
  const total = rows.reduce((sum, { results }) => sum + results, parts?.rest ?? 0);
  if (parts !== undefined && total === 0) return null;
  const shown = query.data?.by ?? by;
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <section>
      <div className="usage-head">
        <h2>{words.parts}</h2>
        <SegmentedControl
          aria-label={words.partBy}
          value={by}
          data={USAGE_PARTS.map((part) => ({ value: part, label: words.byPart[part] }))}
          onChange={(part) => change({ by: part === 'verification' ? undefined : part }, { replace: true })}
        />
      </div>
      <DataTable
        label={words.parts}
        columns={[
          {
            id: 'key',
            title: words.byPart[shown],
            cell: ({ key, verification }: UsageParts['items'][number]) => {
              if (key === REST) return words.rest;
              return verification === null ? partName(shown, key, words, outcomes) : nameOf(verification);
            },
          },
          {
            id: 'results',
            title: words.results,
            numeric: true,
            cell: ({ results }) => number.format(results),
          },
          {
            id: 'share',
            title: words.share,
            numeric: true,
            cell: ({ results }) => percent.format(results / total),
          },
        ]}
        list={wholeList(
          parts !== undefined && parts.rest > 0
            ? [...rows, { key: REST, verification: null, results: parts.rest }]
            : rows,
          query,
        )}
        rowId={({ key }) => key}
        empty={null}
      />
    </section>
  );
}

/** Groups and external IDs are the integrator's text; known outcomes are translated. */
function partName(
  by: UsagePart,
  key: string,
  words: UsageMessages,
  { names, reasons }: OutcomesMessages,
): string {
  if (by === 'group') return key === '' ? words.noGroup : key;
  if (by === 'outcome') return messageFor({ ...reasons, ...names, ...words.outcomes }, key) ?? key;
  return key;
}
