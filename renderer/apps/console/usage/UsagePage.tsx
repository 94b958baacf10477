/** Usage: today against the cap, the previous days, the breakdown, and the cap's history. */
import { Button } from '@mantine/core';
import { usage as usageRoutes } from '../../../../server/contract/routes/console/usage.ts';
import { fileAddress } from '../shared/api.ts';
import { FilterBar } from '../shared/FilterBar.tsx';
import { Icon } from '../shared/icons.tsx';
import { useLive } from '../shared/live.tsx';
import { useScopeFilter } from '../shared/scoped.ts';
import { useSearch } from '../shared/search.ts';
import { PageHeader } from '../shared/states.tsx';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { CapHistory } from './CapHistory.tsx';
import { Days } from './Days.tsx';
import { Parts } from './Parts.tsx';
import { Today } from './Today.tsx';
import './usage.css';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function Page() {
  const words = useWords('usage');
  const common = useCommonWords();
  const search = useSearch();
  const scope = useScopeFilter();
  const { language } = useLanguage();
  const dayOf = (name: string): string | undefined =>
    DAY.test(search[name] ?? '') ? search[name] : undefined;
  const filter = { ...scope, from: dayOf('from'), to: dayOf('to') };
  // Only today follows every check; summing up the other days once a second would be wasteful.
  useLive('usage', 'usage-today');
  return (
    <>
      <PageHeader
        title={common.pages.usage}
        text={words.text}
        action={
          <Button
            component="a"
            href={fileAddress(usageRoutes.export, { query: { ...filter, language } })}
            download
            variant="default"
            leftSection={<Icon name="download" />}
          >
            {words.export}
          </Button>
        }
      />
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
    </>
  );
}
