import { Checkbox, Radio } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { companiesQuery } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

/** Null: all companies. */
export type Companies = readonly string[] | null;

/** Whether the choice can be sent: an operator needs at least one company. */
export const isChosen = (companies: Companies): boolean => companies === null || companies.length > 0;

/** The companies that an operator may see: all, or the ticked ones. */
export function CompanySelect({
  value,
  onChange,
}: {
  value: Companies;
  onChange: (companies: Companies) => void;
}) {
  const words = useWords('operators');
  const { items } = useSuspenseQuery(companiesQuery).data;
  return (
    <>
      <Radio.Group
        label={words.companies}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [])}
      >
        <div className="choices">
          <Radio value="all" label={words.companiesAll} description={words.companiesAllHelp} />
          <Radio value="some" label={words.companiesSome} description={words.companiesSomeHelp} />
        </div>
      </Radio.Group>
      {value !== null && (
        <Checkbox.Group
          label={words.companiesSome}
          value={[...value]}
          onChange={(chosen) => onChange(chosen)}
        >
          <div className="choices">
            {items.map(({ company_id, name }) => (
              <Checkbox key={company_id} value={company_id} label={name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}
