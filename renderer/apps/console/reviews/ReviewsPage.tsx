/** The reviewers' queue: its figures, the waiting cases, and several of them decided at once. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import {
  MOST_TOGETHER,
  showsFaces,
  REVIEW_REASONS,
  REVIEW_STATES,
  type ReviewItem,
  type ReviewRow,
} from '../../../../server/contract/console/reviews.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { useHotkeys, useKeyHint } from '../shared/hotkeys.tsx';
import { useChanges } from '../shared/client/changes.tsx';
import { useSearch } from '../shared/lists/search.ts';
import type { Me } from '../../../../server/contract/console/access.ts';
import { useMe } from '../shared/client/session.ts';
import { EmptyState, ErrorLine, PageHeader, Stat } from '../shared/states.tsx';
import { useCommonWords, useLanguage, useReason, useWords } from '../shared/words.tsx';
import { useFigures } from '../shared/client/queries.ts';
import { Agreement } from './Agreement.tsx';
import { Age, Duration } from './Age.tsx';
import { CaseState, cosineInWords, runName } from './labels.tsx';
import { DecideTogether } from './Decide.tsx';
import { Pair } from './Thumb.tsx';
import { UndoStrip } from './UndoStrip.tsx';
import { reviewFilters, useGoToCase, useQueue, useTakeNext } from './use-reviews.ts';
import './reviews.css';

export { prefetch } from './use-reviews.ts';

export function Page() {
  const words = useWords('reviews');
  const reasonOf = useReason();
  const common = useCommonWords();
  const list = useQueue();
  const goTo = useGoToCase();
  const taking = useTakeNext();
  const keyHint = useKeyHint();
  const { state, reason, group } = reviewFilters(useSearch());
  useChanges('case', 'reviews');
  useHotkeys([
    { key: 'c', label: words.keys.claim, act: () => taking.mutate() },
    { key: 'j', label: words.keys.rows, act: focusRows },
    { key: 'x', label: words.keys.select, act: toggleRow },
  ]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const me = useMe().operator;
  const canSelect = (item: ReviewRow) => canDecide(item, me) && showsFaces(item);
  const chosen = list.rows.filter((item) => selected.has(item.case_id) && canSelect(item));
  const isHidden = list.rows.some((item) => canDecide(item, me) && !showsFaces(item));
  // A case that left the list, or that somebody else took, must not be selected again when it returns.
  if (!list.isPending && chosen.length < selected.size) {
    setSelected(new Set(chosen.map(({ case_id }) => case_id)));
  }
  const isFiltered = state !== undefined || reason !== undefined || group !== undefined;
  return (
    <>
      <PageHeader
        title={common.pages.reviews}
        text={words.text}
        action={
          <Button loading={taking.isPending} rightSection={keyHint('C')} onClick={() => taking.mutate()}>
            {words.takeNext}
          </Button>
        }
      />
      <UndoStrip />
      <ErrorLine error={taking.error} />
      <NothingFree shown={taking.data?.case_id === null} />
      <QueueFigures />
      <FilterBar
        page="reviews"
        filters={[
          {
            kind: 'choice',
            name: 'state',
            label: words.filters.state,
            choices: REVIEW_STATES.map((name) => [name === 'waiting' ? '' : name, words.states[name]]),
          },
          {
            kind: 'choice',
            name: 'reason',
            label: words.filters.reason,
            choices: [
              ['', words.filters.anyReason],
              ...REVIEW_REASONS.map((name) => [name, reasonOf(name)] as const),
            ],
          },
          { kind: 'text', name: 'group', label: words.filters.group },
        ]}
      />
      <DataTable
        label={common.pages.reviews}
        columns={useColumns()}
        list={list}
        rowId={({ case_id }) => case_id}
        onOpen={goTo}
        selection={{
          selected,
          canSelect: (item) =>
            canSelect(item) && (chosen.length < MOST_TOGETHER || selected.has(item.case_id)),
          label: (item) => words.together.select({ name: runName(item, words) }),
          onChange: setSelected,
        }}
        empty={
          isFiltered ? (
            <EmptyState icon="reviews" title={words.noMatchTitle} text={words.noMatchText} />
          ) : (
            <EmptyState icon="check" title={words.emptyTitle} text={words.emptyText} />
          )
        }
      />
      <Agreement />
      {isHidden && <p className="quiet">{words.together.faces}</p>}
      {chosen.length > 0 && <DecideTogether items={chosen} onClear={() => setSelected(new Set())} />}
    </>
  );
}

/** Whether the case is waiting, nobody else holds it, and it needs no opinion other than the operator's. */
const canDecide = (
  { decided, pending, held_by: holder, opinion_by: opinions }: ReviewItem,
  { operator_id: id, role }: Me['operator'],
): boolean =>
  decided === null &&
  pending === null &&
  (holder === null || holder.operator_id === id) &&
  (opinions.length > 1 ? role === 'admin' : !opinions.includes(id));

function useColumns(): readonly Column<ReviewRow>[] {
  const words = useWords('reviews');
  const reasonOf = useReason();
  const { language } = useLanguage();
  const { columns } = words;
  return [
    { id: 'run', title: columns.run, cell: (item) => <Pair item={item} /> },
    {
      id: 'age',
      title: columns.age,
      cell: (item) => (item.decided === null ? <Age item={item} /> : <Duration ms={item.waited_ms} />),
    },
    {
      id: 'found',
      title: columns.found,
      cell: ({ reasons }) => reasons.map(reasonOf).join(' · '),
    },
    {
      id: 'group',
      title: columns.group,
      wideOnly: true,
      cell: ({ event_name: event, group }) => event ?? group ?? '–',
    },
    {
      id: 'similarity',
      title: columns.similarity,
      numeric: true,
      cell: ({ similarity }) => (similarity === null ? '–' : cosineInWords(similarity, language)),
    },
    { id: 'state', title: columns.state, cell: (item) => <CaseState item={item} /> },
  ];
}

function NothingFree({ shown }: { shown: boolean }) {
  const words = useWords('reviews');
  return (
    <p className="quiet" role="status">
      {shown ? words.nothingFree : ''}
    </p>
  );
}

/** Selects the row that has the keyboard's focus, or takes it out of the selection. */
function toggleRow(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
}

/** Once a row has the focus, the table's own keys move it. */
function focusRows(): void {
  if (document.activeElement?.matches('.row-open') === true) return;
  document.querySelector<HTMLElement>('.row-open')?.focus();
}

/** Ages and the last hour change without an event. */
const FIGURES_EVERY_MS = 30_000;

/** Queue age and throughput. */
function QueueFigures() {
  const { figures: words } = useWords('reviews');
  const { data } = useFigures(FIGURES_EVERY_MS);
  const duration = (ms: number | null = null) => (ms === null ? words.none : <Duration ms={ms} />);
  return (
    <section className="figures" aria-label={words.label}>
      <dl>
        <Stat
          label={words.waiting}
          value={data?.waiting ?? words.none}
          hint={words.held({ count: data?.held ?? 0 })}
        />
      </dl>
      <dl>
        <Stat label={words.oldest} value={duration(data?.oldest_ms)} />
      </dl>
      <dl>
        <Stat
          label={words.hour}
          value={data?.decided_hour ?? words.none}
          hint={words.day({ count: data?.decided_day ?? 0 })}
        />
      </dl>
      <dl>
        <Stat label={words.mean} value={duration(data?.mean_wait_ms)} hint={words.meanHint} />
      </dl>
    </section>
  );
}
