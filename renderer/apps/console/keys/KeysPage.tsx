/** Keys: pairs with their state; issuing, rolling with overlap, and revoking. Works without internet. */
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { keys as keysRoutes } from '../../../../server/contract/routes/console/keys.ts';
import type { KeyPair, NewPair, PairIssued } from '../../../../server/contract/console/keys.ts';
import { call, reading } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { addRow, dropRow, putRow } from '../shared/client/put-row.ts';
import { type ScopeFilter, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { EmptyState, ErrorLine, ErrorState, PageHeader, AddButton } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { IssueKeys } from './IssueKeys.tsx';
import { displaysOf, KeyDetail, KeyState, isWorking, pairName } from './KeyDetail.tsx';
import { NewKeys } from './NewKeys.tsx';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

const TestData = lazy(async () => ({ default: (await import('../settings/TestData.tsx')).TestData }));

const listOf = (scope: ScopeFilter, list: 'gone' | 'working') =>
  cursorList(['keys'], { ...scope, list }, (input) => call(keysRoutes.list, input));

export const prefetch = ({ client, scope }: Visit) =>
  readAhead(client.infiniteQuery(listOf(scope, 'working')));

export function Page() {
  const words = useWords('keys');
  const common = useCommonWords();
  const client = useQueryClient();
  const scope = useScopeFilter();
  const isGone = useSearch()['list'] === 'gone';
  const { openId, open, close } = useOpenRow();
  const [issuing, setIssuing] = useState(false);
  const [made, setMade] = useState<NewPair | null>(null);
  const list = useCursorList(listOf(scope, isGone ? 'gone' : 'working'));
  const opened = useQuery({
    ...reading(['keys', 'pair', openId, scope], keysRoutes.read, {
      params: { pair_id: openId ?? '' },
      query: scope,
    }),
    enabled: openId !== undefined,
  });
  useChanges('audit', 'keys');
  const show = (changed: KeyPair) => {
    putRow(client, 'keys', 'pair_id', changed);
    if (isWorking(changed)) return;
    dropRow<KeyPair>(client, ['keys', { list: 'working' }], ({ pair_id }) => pair_id === changed.pair_id);
    void client.invalidateQueries({ queryKey: ['keys', { list: 'gone' }], refetchType: 'none' });
  };
  const showNew = (issued: PairIssued) => {
    setMade(issued);
    addRow<KeyPair>(client, ['keys', { ...scope, list: 'working' }], issued.pair, () => true);
  };
  const columns: readonly Column<KeyPair>[] = [
    {
      id: 'pair',
      title: words.pair,
      cell: (pair) => (
        <>
          {pair.name !== null && <b>{pair.name}</b>} <code>{displaysOf(pair)}</code>
        </>
      ),
    },
    {
      id: 'state',
      title: words.state,
      cell: ({ state, ends_at }) => <KeyState state={state} endsAt={ends_at} />,
    },
    { id: 'used', title: words.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    { id: 'type', title: words.type, wideOnly: true, cell: ({ type }) => words.types[type] },
    {
      id: 'created',
      title: words.created,
      wideOnly: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
  return (
    <>
      <PageHeader
        title={common.pages.keys}
        text={words.text}
        action={<AddButton onClick={() => setIssuing(true)}>{words.issue}</AddButton>}
      />
      <FilterBar
        page="keys"
        filters={[
          {
            kind: 'choice',
            name: 'list',
            label: words.list,
            choices: [
              ['', words.working],
              ['gone', words.gone],
            ],
          },
        ]}
      />
      <DataTable
        label={common.pages.keys}
        columns={columns}
        list={list}
        rowId={({ pair_id }) => pair_id}
        onOpen={open}
        openId={openId}
        empty={
          isGone ? (
            <EmptyState icon="keys" title={words.goneTitle} text={words.goneText} />
          ) : (
            <FirstKeys
              onIssued={(first) => {
                setMade(first);
                void client.invalidateQueries({ queryKey: ['keys'] });
              }}
            />
          )
        }
      />
      {scope.partition === 'test' && (
        <Suspense>
          <TestData />
        </Suspense>
      )}
      <DetailDrawer
        title={opened.data === undefined ? words.pair : pairName(opened.data)}
        opened={openId !== undefined && !opened.isPending}
        onClose={close}
      >
        {opened.data === undefined ? (
          <ErrorState error={opened.error} />
        ) : (
          <KeyDetail pair={opened.data} onIssued={showNew} onChanged={show} />
        )}
      </DetailDrawer>
      {issuing && <IssueKeys onIssued={showNew} onClose={() => setIssuing(false)} />}
      {made !== null && <NewKeys made={made} onClose={() => setMade(null)} />}
    </>
  );
}

/** For a company that has never had keys: all six at once, or one pair. */
function FirstKeys({ onIssued }: { onIssued: (made: NewPair) => void }) {
  const words = useWords('keys');
  const callScoped = useScopedCall();
  const issuing = useMutation({
    mutationFn: () => callScoped(keysRoutes.issueFirst),
    onSuccess: (keys) =>
      onIssued({
        pair_id: '',
        keys: Object.entries(keys).map(([kind, key]) => ({ kind, key })),
        old_ends_at: null,
      }),
  });
  return (
    <EmptyState
      icon="keys"
      title={words.emptyTitle}
      text={words.emptyText}
      action={
        <>
          <Button loading={issuing.isPending} onClick={() => issuing.mutate()}>
            {words.issueFirst}
          </Button>
          <ErrorLine error={issuing.error} />
        </>
      }
    />
  );
}
