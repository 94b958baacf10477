/** Usage: today against the cap, the previous days, the breakdown, and the cap's history. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usage as usageRoutes } from '../../../../server/contract/routes/console/usage.ts';
import { fileAddress } from '../shared/client/api.ts';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { Download } from '../shared/Download.tsx';
import { useChanges } from '../shared/client/changes.tsx';
import { useScopeFilter } from '../shared/client/session.ts';
import { dayIn } from '../shared/lists/day-range.ts';
import { useCursorList } from '../shared/lists/list.ts';
import { useSearch } from '../shared/lists/search.ts';
import { PageHeader, PageSkeleton } from '../shared/states.tsx';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { CapHistory, capChangesOf } from './CapHistory.tsx';
import { Days, daysOf, type RangeFilter } from './Days.tsx';
import { partIn, Parts, partsOf } from './Parts.tsx';
import { Today, todayOf } from './Today.tsx';
import './usage.css';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';
import { USAGE_PARTS } from '../../../../server/contract/console/usage.ts';

export function prefetch({ client, scope }: Visit): void {
  readAhead(client.query(todayOf(scope)));
  readAhead(client.query(daysOf(scope)));
  readAhead(client.query(partsOf(scope, USAGE_PARTS[0])));
  readAhead(client.infiniteQuery(capChangesOf(scope)));
}

export function Page() {
  const words = useWords('usage');
  const common = useCommonWords();
  const search = useSearch();
  const scope = useScopeFilter();
  const { language } = useLanguage();
  const filter = { ...scope, from: dayIn(search, 'from'), to: dayIn(search, 'to') };
  // Only today follows every check; summing up the other days once a second would be wasteful.
  useChanges('usage', 'usage-today');
  return (
    <>
      <PageHeader
        title={common.pages.usage}
        text={words.text}
        action={
          <Download href={fileAddress(usageRoutes.export, { query: { ...filter, language } })}>
            {words.export}
          </Download>
        }
      />
      {/* Another scope's panels are not shown while its own load. */}
      <Panels key={`${scope.company_id} ${scope.partition}`} filter={filter} />
    </>
  );
}

function Panels({ filter }: { filter: RangeFilter }) {
  const words = useWords('usage');
  const scope = useScopeFilter();
  const isPending = [
    useQuery(todayOf(scope)),
    useQuery(daysOf(filter)),
    useQuery(partsOf(filter, partIn(useSearch()))),
    useCursorList(capChangesOf(scope)),
  ].some((reading) => reading.isPending);
  const [isShown, setShown] = useState(false);
  if (!isPending && !isShown) setShown(true);
  // Panels that come later would move those below them away under the pointer. Once shown they stay: a panel that mounts again
  // reads again what failed, and would never stop.
  if (!isShown) return <PageSkeleton />;
  return (
    <div className="usage">
      <Today />
      <FilterBar
        page="usage"
        filters={(['from', 'to'] as const).map((name) => ({ kind: 'day', name, label: words[name] }))}
      />
      <Days filter={filter} />
      <Parts filter={filter} />
      <CapHistory />
    </div>
  );
}
