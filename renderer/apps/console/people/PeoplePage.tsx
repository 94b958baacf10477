/** People: found by name, account, ID or any metadata; a drawer shows everything known about one. */
import { Button, Alert } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { people as peopleRoutes } from '../../../../server/contract/routes/console/people.ts';
import type { PersonItem } from '../../../../server/contract/console/people.ts';
import { call, reading } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { CHOICES_STALE_MS, cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { type ScopeFilter, useScopeFilter, scopeSearch, useMay } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { EmptyState, PageHeader } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { ImportPeople } from './ImportPeople.tsx';
import { Blocked, blocksOf } from './BlockPanel.tsx';
import { accountOf, personName } from './PersonFacts.tsx';
import { PersonDrawer } from './PersonDrawer.tsx';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

const listOf = (filters: ScopeFilter & { q?: string | undefined }) =>
  cursorList(['people'], filters, (input) => call(peopleRoutes.list, input));

const keysOf = (scope: ScopeFilter) =>
  queryOptions({
    ...reading(['metadata-keys', scope], peopleRoutes.metadataKeys, { query: scope }),
    staleTime: CHOICES_STALE_MS,
  });

export function prefetch({ client, scope, role }: Visit): void {
  readAhead(client.infiniteQuery(listOf(scope)));
  readAhead(client.query(keysOf(scope)));
  readAhead(client.infiniteQuery(blocksOf(scope)));
  if (role === 'admin') readAhead(client.query(twinsOf(scope)));
}

export function Page() {
  const words = useWords('people');
  const common = useCommonWords();
  const search = useSearch();
  const scope = useScopeFilter();
  const navigate = useNavigate();
  const maySeeProofs = useMay('admin');
  const [isImporting, setImporting] = useState(false);
  const { openId, open, close } = useOpenRow();
  // A value means nothing without its key.
  const chosen = {
    q: search['q'],
    key: search['key'],
    value: search['key'] === undefined ? undefined : search['value'],
  };
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  const list = useCursorList(listOf({ ...scope, ...chosen }));
  useChanges('session', 'people', 'person');
  const keys = useQuery(keysOf(scope));
  const columns: readonly Column<PersonItem>[] = [
    { id: 'name', title: words.person, cell: (person) => personName(person, words) },
    { id: 'account', title: words.account, cell: (person) => accountOf(person) ?? '' },
    { id: 'passes', title: words.passes, numeric: true, cell: ({ passes }) => passes },
    { id: 'short', title: words.shortId, wideOnly: true, cell: ({ short_id }) => <code>{short_id}</code> },
    { id: 'seen', title: words.lastSeen, cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  ];
  return (
    <>
      <PageHeader
        title={common.pages.people}
        text={words.text}
        action={
          maySeeProofs && (
            <div className="row">
              <Button variant="default" onClick={() => setImporting(true)}>
                {words.import.open}
              </Button>
              <Button
                variant="default"
                onClick={() => void navigate({ to: '/people/erasures', search: scopeSearch(search) })}
              >
                {words.proofs}
              </Button>
            </div>
          )
        }
      />
      {isImporting && <ImportPeople onClose={() => setImporting(false)} />}
      {maySeeProofs && <Twins onOpen={open} />}
      <Blocked onOpen={open} />
      <FilterBar
        page="people"
        filters={[
          { kind: 'text', name: 'q', label: words.find, placeholder: words.findHelp },
          {
            kind: 'choice',
            name: 'key',
            label: words.key,
            choices: [
              ['', words.anyKey],
              ...withChosen(keys.data?.items ?? [], chosen.key).map((key) => [key, key] as const),
            ],
          },
          { kind: 'text', name: 'value', label: words.value, placeholder: words.valueHelp },
        ]}
      />
      <DataTable
        label={common.pages.people}
        columns={columns}
        list={list}
        rowId={({ person_id }) => person_id}
        onOpen={open}
        openId={openId}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title={words.noneTitle} text={words.noneText} />
          ) : (
            <EmptyState icon="people" title={words.emptyTitle} text={words.emptyText} />
          )
        }
      />
      <PersonDrawer id={openId} onClose={close} />
    </>
  );
}

/** A key in the address is shown even if nobody has it any more. */
const withChosen = (keys: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || keys.includes(chosen) ? keys : [chosen, ...keys];

const twinsOf = (scope: ScopeFilter) =>
  queryOptions({
    ...reading(['people', 'twins', scope], peopleRoutes.twins, { query: scope }),
    staleTime: CHOICES_STALE_MS,
  });

/** After an upgrade: people whose address turned out to be another person's. Both stay until an admin decides. */
function Twins({ onOpen }: { onOpen: (personId: string) => void }) {
  const words = useWords('people');
  const { data } = useQuery(twinsOf(useScopeFilter()));
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Alert title={words.twinsTitle({ n: items.length })}>
      <p>{words.twinsText}</p>
      <ul>
        {items.map((twin) => (
          <li key={twin.person_id}>
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(twin.person_id)}>
              {twin.identifier}
            </Button>{' '}
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(twin.other_person_id)}>
              {twin.same_as}
            </Button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
