/** The audit log: every change with who and why, filtered, exported, and its chain verified. */
import { useQuery, useMutation } from '@tanstack/react-query';
import { audit as auditRoutes } from '../../../../server/contract/routes/console/audit.ts';
import type { AuditItem } from '../../../../server/contract/console/audit.ts';
import { call, fileAddress } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { Download } from '../shared/Download.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';
import { dayRange } from '../shared/lists/day-range.ts';
import { useSearch, type Search } from '../shared/lists/search.ts';
import { operatorsQuery } from '../shared/client/queries.ts';
import { meQuery, useMe } from '../shared/client/session.ts';
import { EmptyState, PageHeader, ErrorLine } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { AuditDetail } from './AuditDetail.tsx';
import { AuditSentence } from './AuditSentence.tsx';
import { actionsNamed, actorNamed, AREAS } from './sentence.ts';
import { Button } from '@mantine/core';
import { Copyable } from '../shared/copy.tsx';
import { Icon } from '../shared/icons.tsx';

const listOf = (filters: AuditListFilters) =>
  cursorList(['audit'], filters, (input) => call(auditRoutes.list, input));

export function prefetch({ client }: Visit): void {
  readAhead(client.infiniteQuery(listOf(auditFilters({}))));
  if (client.getQueryData(meQuery.queryKey)?.is_limited === false) readAhead(client.query(operatorsQuery));
}

export function Page() {
  const words = useWords('audit');
  const common = useCommonWords();
  const { is_limited: isLimited } = useMe();
  const search = useSearch();
  const typed = auditFilters(search);
  const names = useOperatorNames(isLimited);
  const filters = {
    ...typed,
    action: typed.action && actionsNamed(typed.action, words),
    actor: typed.actor && actorNamed(typed.actor, words),
  };
  const { openId, open, close } = useOpenRow();
  const list = useCursorList(listOf(filters));
  useChanges('audit', 'audit');
  const opened = list.rows.find(({ seq }) => String(seq) === openId);
  const columns: readonly Column<AuditItem>[] = [
    { id: 'at', title: words.at, cell: ({ at }) => <Time at={at} /> },
    { id: 'what', title: words.what, cell: (item) => <AuditSentence line={item} /> },
    { id: 'seq', title: words.number, numeric: true, wideOnly: true, cell: ({ seq }) => seq },
  ];
  return (
    <>
      <PageHeader
        title={common.pages.audit}
        text={words.text}
        action={
          <Download variant="filled" href={fileAddress(auditRoutes.export, { query: filters })}>
            {words.export}
          </Download>
        }
      />
      {!isLimited && <VerifyChain />}
      <FilterBar
        page="audit"
        filters={[
          {
            kind: 'choice',
            name: 'by',
            label: words.by,
            usual: typed.by ?? EVERYTHING,
            choices: [
              ['people', words.byPeople],
              [EVERYTHING, words.byAll],
            ],
          },
          {
            kind: 'text',
            name: 'action',
            label: words.action,
            placeholder: words.actionHelp,
            offers: AREAS.map((area) => words.areas[area]),
          },
          {
            kind: 'text',
            name: 'actor',
            label: words.actor,
            placeholder: words.actorHelp,
            offers: [...names, words.actors.cli, words.actors.system, words.actors.person],
          },
          { kind: 'text', name: 'subject', label: words.subject, placeholder: words.subjectHelp },
          { kind: 'day', name: 'from', label: words.from },
          { kind: 'day', name: 'to', label: words.to },
        ]}
      />
      <DataTable
        label={common.pages.audit}
        columns={columns}
        list={list}
        rowId={({ seq }) => String(seq)}
        onOpen={open}
        openId={openId}
        empty={<EmptyState icon="audit" title={words.emptyTitle} text={words.emptyText} />}
      />
      <DetailDrawer
        title={openId === undefined ? '' : words.entry({ seq: Number(openId) })}
        opened={openId !== undefined && !list.isPending}
        onClose={close}
      >
        {opened === undefined ? <p className="quiet">{words.notLoaded}</p> : <AuditDetail item={opened} />}
      </DetailDrawer>
    </>
  );
}

/** Offered as who did something; anyone else can be typed. */
function useOperatorNames(isLimited: boolean): readonly string[] {
  // Only who may see all companies may list the operators.
  const { data } = useQuery({ ...operatorsQuery, enabled: !isLimited });
  return data?.items.map(({ name }) => name) ?? [];
}

type AuditListFilters = Readonly<
  Record<'action' | 'actor' | 'subject' | 'from' | 'to', string | undefined>
> & {
  by: 'people' | undefined;
};

const EVERYTHING = 'all';

/** First what people did; a filter looks in everything. */
function byOf({ by, action, actor, subject }: Search): 'people' | undefined {
  if (by !== undefined) return by === 'people' ? 'people' : undefined;
  return action === undefined && actor === undefined && subject === undefined ? 'people' : undefined;
}

const auditFilters = (search: Search): AuditListFilters => ({
  by: byOf(search),
  action: search['action'],
  actor: search['actor'],
  subject: search['subject'],
  ...dayRange(search),
});

/** Verifies the whole log: whether each entry matches the one before it. */
function VerifyChain() {
  const words = useWords('audit');
  const verifying = useMutation({ mutationFn: () => call(auditRoutes.verify) });
  const verdict = verifying.data;
  return (
    <section className="verify-chain">
      <Button variant="default" size="xs" loading={verifying.isPending} onClick={() => verifying.mutate()}>
        {words.verify}
      </Button>
      <ErrorLine error={verifying.error} />
      {verdict !== undefined && (
        <div className="note" data-tone={verdict.intact ? 'passed' : 'refused'} role="status">
          <Icon name={verdict.intact ? 'check' : 'look'} />
          <div>
            <p>
              {verdict.intact
                ? words.intact({ count: verdict.entries })
                : words.broken({ entry: verdict.broken_at ?? 0 })}
            </p>
            {verdict.intact && verdict.head_hash !== null && (
              <p>
                {words.head}: <Copyable value={verdict.head_hash} label={words.head} /> {words.headHelp}
              </p>
            )}
          </div>
        </div>
      )}
    </section>
  );
}
