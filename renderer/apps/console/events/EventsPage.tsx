/** Events: their verification, time, limit per person, and report. */
import { call, reading } from '../shared/client/api.ts';
import './events.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { events as eventsRoutes } from '../../../../server/contract/routes/console/events.ts';
import type { EventRecord } from '../../../../server/contract/console/events.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { addRow } from '../shared/client/put-row.ts';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';
import { type ScopeFilter, useScopeFilter, useMay } from '../shared/client/session.ts';
import { EmptyState, ErrorState, PageHeader, AddButton } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { EventDetail } from './EventDetail.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { eventDraft, EventForm } from './EventForm.tsx';
import { EventState, LimitInWords, When } from './EventFacts.tsx';

const listOf = (scope: ScopeFilter) =>
  cursorList(['events'], scope, (input) => call(eventsRoutes.list, input));

export const prefetch = ({ client, scope }: Visit) => readAhead(client.infiniteQuery(listOf(scope)));

export function Page() {
  const words = useWords('events');
  const common = useCommonWords();
  const client = useQueryClient();
  const mayChange = useMay('admin');
  const scope = useScopeFilter();
  const { openId, open, close } = useOpenRow();
  const hasDraft = useHasDraft();
  const [adding, setAdding] = useState(() => hasDraft(eventDraft(undefined)));
  const list = useCursorList(listOf(scope));
  useChanges('venue', 'events');
  const listed = list.rows.find(({ event_id }) => event_id === openId);
  // A link may lead to an event of a later page.
  const isElsewhere = openId !== undefined && listed === undefined && !list.isPending;
  const alone = useQuery({
    ...reading(['events', 'one', openId, scope], eventsRoutes.read, {
      params: { event_id: openId ?? '' },
      query: scope,
    }),
    enabled: isElsewhere,
  });
  const opened = listed ?? (isElsewhere ? alone.data : undefined);
  const columns: readonly Column<EventRecord>[] = [
    { id: 'name', title: words.name, cell: ({ name }) => name },
    { id: 'state', title: words.state, cell: ({ state }) => <EventState state={state} /> },
    { id: 'when', title: words.when, cell: (event) => <When event={event} /> },
    {
      id: 'limit',
      title: words.limit,
      wideOnly: true,
      cell: ({ limit }) => <LimitInWords limit={limit} />,
    },
    { id: 'kiosks', title: words.kiosks, numeric: true, wideOnly: true, cell: ({ kiosks }) => kiosks },
  ];
  const add = mayChange && <AddButton onClick={() => setAdding(true)}>{words.add}</AddButton>;
  return (
    <>
      <PageHeader title={common.pages.events} text={words.text} action={add} />
      <DataTable
        label={common.pages.events}
        columns={columns}
        list={list}
        rowId={({ event_id }) => event_id}
        onOpen={open}
        openId={openId}
        empty={<EmptyState icon="events" title={words.emptyTitle} text={words.emptyText} />}
      />
      <DetailDrawer
        title={opened?.name ?? ''}
        opened={openId !== undefined && !list.isPending}
        onClose={close}
      >
        {opened !== undefined && <EventDetail event={opened} />}
        {opened === undefined && alone.error !== null && <ErrorState error={alone.error} />}
      </DetailDrawer>
      {adding && (
        <EventForm
          event={null}
          onClose={() => setAdding(false)}
          onSaved={(made) => {
            setAdding(false);
            const { event_id, starts_at } = made;
            addRow<EventRecord>(client, ['events', scope], made, (other) => starts_at >= other.starts_at);
            open(event_id);
          }}
        />
      )}
    </>
  );
}
