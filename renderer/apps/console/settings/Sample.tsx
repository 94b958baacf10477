import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { system } from '../../../../server/contract/routes/console/system.ts';
import { call } from '../shared/client/api.ts';
import { companiesQuery, useMe, useScope } from '../shared/client/session.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { useChangeSearch } from '../shared/lists/search.ts';
import { useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';

/** Removes the company with sample data. Renders nothing without one, and for those who may not remove it. */
export function Sample() {
  const { sample: words } = useWords('settings');
  const { is_limited: isLimited } = useMe();
  const { companies, company } = useScope();
  const client = useQueryClient();
  const change = useChangeSearch();
  const sample = companies.find(({ is_sample }) => is_sample);
  if (sample === undefined || isLimited) return null;
  const { name, company_id: id } = sample;
  const isOnly = companies.length === 1;

  async function remove(reason: string) {
    await call(system.removeDemo, { body: { reason } });
    notifications.show({ message: words.removed({ name }) });
    // No page may ask for the company any more.
    if (company.company_id === id) change({ company: undefined }, { replace: true });
    await client.invalidateQueries({ queryKey: companiesQuery.queryKey });
  }

  return (
    <Panel title={words.title} text={words.text({ name })}>
      <div className="row">
        <ConfirmButton
          button={{ c: 'var(--refused)', disabled: isOnly }}
          title={words.removeTitle({ name })}
          confirm={words.remove}
          destructive
          withReason
          typeName={name}
          progress={words.removing}
          act={remove}
        >
          {words.removeText}
        </ConfirmButton>
        {isOnly && <p className="quiet">{words.only}</p>}
      </div>
    </Panel>
  );
}
