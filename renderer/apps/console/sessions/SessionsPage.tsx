/** Sessions and passes: found by person, kind and time; a drawer shows one session's timeline. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isAtLeast } from '../../../../server/contract/console/common.ts';
import { sessions as sessionsRoutes } from '../../../../server/contract/routes/console/sessions.ts';
import { SESSION_STATUSES, type SessionItem } from '../../../../server/contract/console/sessions.ts';
import { GENERATIONS } from '../../../../server/contract/operations.ts';
import { call, fileAddress, reading } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { FilterBar, type Filter } from '../shared/lists/FilterBar.tsx';
import { Download } from '../shared/Download.tsx';
import { CHOICES_STALE_MS, cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { type ScopeFilter, useScopeFilter, useMe } from '../shared/client/session.ts';
import { dayRange } from '../shared/lists/day-range.ts';
import { useSearch } from '../shared/lists/search.ts';
import { EmptyState, PageHeader } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';
import { EndTogether } from './EndTogether.tsx';
import { SessionDrawer } from './SessionDrawer.tsx';
import { SessionStatus, whoIs } from './labels.tsx';
import './sessions.css';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

const NAMES = ['q', 'status', 'group', 'verification', 'generation'] as const;

const listOf = (
  filters: ScopeFilter & Partial<Record<(typeof NAMES)[number] | 'from' | 'to', string | undefined>>,
) => cursorList(['sessions'], filters, (input) => call(sessionsRoutes.list, input));

const verificationsOf = (scope: ScopeFilter) =>
  queryOptions({
    ...reading(['session-verifications', scope], sessionsRoutes.verifications, { query: scope }),
    staleTime: CHOICES_STALE_MS,
  });

export function prefetch({ client, scope }: Visit): void {
  readAhead(client.infiniteQuery(listOf(scope)));
  readAhead(client.query(verificationsOf(scope)));
}

export function Page() {
  const words = useWords('sessions');
  const common = useCommonWords();
  const search = useSearch();
  const scope = useScopeFilter();
  const { language } = useLanguage();
  const { role } = useMe().operator;
  const { openId, open, close } = useOpenRow();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const nameOf = useVerificationName();
  const chosen = Object.fromEntries(NAMES.map((name) => [name, search[name]]));
  const range = dayRange(search);
  const isFiltered = [...Object.values(chosen), range.from, range.to].some((value) => value !== undefined);
  const list = useCursorList(listOf({ ...scope, ...chosen, ...range }));
  useChanges('session', 'sessions', 'session');
  const isOpenOnly = chosen['status'] === 'open';
  const selectedItems = list.rows.filter(
    ({ session_id, status }) => isOpenOnly && status === 'open' && selected.has(session_id),
  );
  // A session that ended, or left the list, must not be selected again when it returns.
  if (!list.isPending && selectedItems.length < selected.size) {
    setSelected(new Set(selectedItems.map(({ session_id }) => session_id)));
  }
  const columns: readonly Column<SessionItem>[] = [
    { id: 'who', title: words.who, cell: (item) => whoIs(item, words) },
    { id: 'status', title: words.status, cell: (item) => <SessionStatus result={item} /> },
    {
      id: 'group',
      title: words.group,
      wideOnly: true,
      cell: ({ event_name: event, group }) => event ?? group ?? '',
    },
    {
      id: 'verification',
      title: words.verification,
      wideOnly: true,
      cell: ({ verification }) => nameOf(verification),
    },
    {
      id: 'generation',
      title: words.generation,
      wideOnly: true,
      cell: ({ generation }) => <code>{generation}</code>,
    },
    { id: 'started', title: words.started, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <>
      <PageHeader
        title={common.pages.sessions}
        text={words.text}
        action={
          isAtLeast(role, 'reviewer') && (
            <Download
              href={fileAddress(sessionsRoutes.export, {
                query: { ...scope, ...chosen, ...range, language },
              })}
            >
              {words.export}
            </Download>
          )
        }
      />
      <div className="session-filters">
        <FilterBar page="sessions" filters={useFilters()} />
      </div>
      <DataTable
        label={common.pages.sessions}
        columns={columns}
        list={list}
        rowId={({ session_id }) => session_id}
        onOpen={open}
        openId={openId}
        {...(isOpenOnly && {
          selection: {
            selected,
            canSelect: ({ status }: SessionItem) => status === 'open',
            label: (item: SessionItem) => words.together.select({ who: whoIs(item, words) }),
            labelOfAll: words.together.all,
            onChange: setSelected,
          },
        })}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title={words.noneTitle} text={words.noneText} />
          ) : (
            <EmptyState icon="sessions" title={words.emptyTitle} text={words.emptyText} />
          )
        }
      />
      {selectedItems.length > 0 && (
        <EndTogether items={selectedItems} onClear={() => setSelected(new Set())} />
      )}
      <SessionDrawer id={openId} onClose={close} />
    </>
  );
}

function useFilters(): readonly Filter[] {
  const words = useWords('sessions');
  const { names } = useWords('outcomes');
  const scope = useScopeFilter();
  const nameOf = useVerificationName();
  const verifications = useQuery(verificationsOf(scope));
  const any = ['', words.any] as const;
  return [
    { kind: 'text', name: 'q', label: words.find, placeholder: words.findHelp },
    {
      kind: 'choice',
      name: 'status',
      label: words.status,
      choices: [any, ...SESSION_STATUSES.map((status) => [status, names[status]] as const)],
    },
    { kind: 'text', name: 'group', label: words.group },
    {
      kind: 'choice',
      name: 'verification',
      label: words.verification,
      choices: [
        any,
        ...(verifications.data?.items ?? []).map((one) => [one.verification_id, nameOf(one)] as const),
      ],
    },
    {
      kind: 'choice',
      name: 'generation',
      label: words.generation,
      choices: [any, ...GENERATIONS.map((generation) => [generation, generation] as const)],
    },
    { kind: 'day', name: 'from', label: words.from },
    { kind: 'day', name: 'to', label: words.to },
  ];
}
