import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useChangeSearch } from '../shared/search.ts';
import { useScope } from '../shared/session.ts';
import { useCommonWords } from '../shared/words.tsx';

/** The company, and live or test data. In the address, so that links contain it. */
export function ScopeSwitch() {
  const { scope: words } = useCommonWords();
  const { company, companies, partition } = useScope();
  const change = useChangeSearch();
  const oldest = companies[0]?.company_id;
  return (
    <div className="scope">
      {companies.length === 1 ? (
        <span className="scope__company">{company.name}</span>
      ) : (
        <NativeSelect
          className="scope__company"
          aria-label={words.company}
          value={company.company_id}
          data={companies.map(({ company_id, name }) => ({ value: company_id, label: name }))}
          onChange={({ currentTarget: { value } }) =>
            change({ company: value === oldest ? undefined : value, open: undefined })
          }
        />
      )}
      <SegmentedControl
        className="scope__partition"
        aria-label={words.partition}
        value={partition}
        data={[
          { value: 'live', label: words.live },
          { value: 'test', label: words.test },
        ]}
        onChange={(value) => change({ partition: value === 'test' ? 'test' : undefined, open: undefined })}
      />
    </div>
  );
}
