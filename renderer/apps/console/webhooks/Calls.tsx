import { Button } from '@mantine/core';
import { useState } from 'react';
import { webhookCalls } from '../../../../server/contract/routes/console/webhooks.ts';
import type { ConsoleCall } from '../../../../server/contract/console/webhooks.ts';
import { CALL_STATUSES } from '../../../../server/contract/webhook-types.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { call } from '../shared/client/api.ts';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useScopeFilter } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { EmptyState } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { CallDetail } from './CallDetail.tsx';
import { eventName } from './event-name.ts';
import { CallState } from './WebhookState.tsx';
import { RerunFailed } from './RerunFailed.tsx';

/** Calls of a key family, newest first. */
export function Calls({ lineageId }: { lineageId: string }) {
  const words = useWords('webhooks');
  const scope = useScopeFilter();
  const search = useSearch();
  const { openId, open, close } = useOpenRow();
  const [rerunning, setRerunning] = useState(false);
  const status = CALL_STATUSES.find((known) => known === search['status']);
  const list = useCursorList(
    cursorList(
      ['webhooks', 'calls', lineageId],
      {
        ...scope,
        status,
      },
      (input) => call(webhookCalls.list, { params: { lineage_id: lineageId }, ...input }),
    ),
  );
  const columns: readonly Column<ConsoleCall>[] = [
    { id: 'user', title: words.user, cell: ({ user }) => user },
    { id: 'event', title: words.event, cell: ({ webhook_type }) => eventName(words, webhook_type) },
    { id: 'status', title: words.status, cell: ({ status: now }) => <CallState status={now} /> },
    { id: 'attempts', title: words.attempts, numeric: true, cell: ({ attempts }) => attempts },
    { id: 'created', title: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'next',
      title: words.nextAttempt,
      cell: ({ next_attempt_at }) =>
        next_attempt_at === null ? <span className="quiet">–</span> : <Time at={next_attempt_at} />,
    },
  ];
  return (
    <>
      <div className="webhook-bar">
        <FilterBar
          page="webhook-calls"
          filters={[
            {
              kind: 'choice',
              name: 'status',
              label: words.status,
              choices: [
                ['', words.anyStatus],
                ...CALL_STATUSES.map((known) => [known, words.statuses[known]] as const),
              ],
            },
          ]}
        />
        {list.rows.length > 0 && (
          <Button variant="default" onClick={() => setRerunning(true)}>
            {words.rerunAll}
          </Button>
        )}
      </div>
      <DataTable
        label={words.views.calls}
        columns={columns}
        list={list}
        rowId={({ transaction_id }) => transaction_id}
        onOpen={open}
        openId={openId}
        empty={<EmptyState icon="webhooks" title={words.emptyTitle} text={words.emptyText} />}
      />
      <DetailDrawer title={words.call} opened={openId !== undefined} onClose={close}>
        {openId !== undefined && <CallDetail key={openId} lineageId={lineageId} transactionId={openId} />}
      </DetailDrawer>
      {rerunning && <RerunFailed lineageId={lineageId} onClose={() => setRerunning(false)} />}
    </>
  );
}
