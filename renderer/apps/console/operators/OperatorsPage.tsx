/** Operators: who may sign in, with which role, and removing access. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatorRecord } from '../../../../server/contract/console/operators.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { wholeList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { addRow } from '../shared/client/put-row.ts';
import { useMe } from '../shared/client/session.ts';
import { EmptyState, PageHeader, AddButton } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { AddOperator, NEW_OPERATOR_DRAFT } from './AddOperator.tsx';
import { OperatorDetail, OperatorState } from './OperatorDetail.tsx';
import { operatorsQuery } from '../shared/client/queries.ts';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

export const prefetch = ({ client }: Visit) => readAhead(client.query(operatorsQuery));

export function Page() {
  const words = useWords('operators');
  const common = useCommonWords();
  const me = useMe();
  const client = useQueryClient();
  const { openId, open, close } = useOpenRow();
  const hasDraft = useHasDraft();
  const [adding, setAdding] = useState(() => hasDraft(NEW_OPERATOR_DRAFT));
  const query = useQuery(operatorsQuery);
  useChanges('audit', 'operators');
  const rows = query.data?.items ?? [];
  const opened = rows.find(({ operator_id }) => operator_id === openId);
  const columns: readonly Column<OperatorRecord>[] = [
    {
      id: 'name',
      title: words.name,
      cell: ({ name, operator_id }) =>
        operator_id === me.operator.operator_id ? `${name} ${words.you}` : name,
    },
    {
      id: 'role',
      title: words.role,
      cell: ({ role }) => <span className="whole-words">{common.roles[role]}</span>,
    },
    { id: 'state', title: words.state, cell: (operator) => <OperatorState operator={operator} /> },
    { id: 'last', title: words.lastSignIn, cell: ({ last_signed_in_at }) => <Time at={last_signed_in_at} /> },
    {
      id: 'open',
      title: words.sessions,
      numeric: true,
      wideOnly: true,
      cell: ({ open_sessions }) => open_sessions,
    },
  ];
  return (
    <>
      <PageHeader
        title={common.pages.operators}
        text={words.text}
        action={<AddButton onClick={() => setAdding(true)}>{words.add}</AddButton>}
      />
      <DataTable
        label={common.pages.operators}
        columns={columns}
        list={wholeList(rows, query)}
        rowId={({ operator_id }) => operator_id}
        onOpen={open}
        openId={openId}
        empty={<EmptyState icon="operators" title={words.emptyTitle} text={words.emptyText} />}
      />
      <DetailDrawer title={opened?.name} opened={opened !== undefined} onClose={close}>
        {opened !== undefined && <OperatorDetail operator={opened} />}
      </DetailDrawer>
      {adding && (
        <AddOperator
          onMade={(made) =>
            addRow<OperatorRecord>(
              client,
              ['operators'],
              made,
              ({ name }) => made.name.toLowerCase() < name.toLowerCase(),
            )
          }
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
