/** Webhooks of one API-KEY family: destinations, sent calls, and how to receive them. */
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  v3Webhooks,
  webhooks as webhooksRoutes,
} from '../../../../server/contract/routes/console/webhooks.ts';
import type { WebhookLine } from '../../../../server/contract/console/webhooks.ts';
import goReceiver from '../../../../docs/webhooks/receiver.go?raw';
import nodeReceiver from '../../../../docs/webhooks/receiver.mjs?raw';
import phpReceiver from '../../../../docs/webhooks/receiver.php?raw';
import pythonReceiver from '../../../../docs/webhooks/receiver.py?raw';
import { call, reading } from '../shared/client/api.ts';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { useChangeSearch, useSearch } from '../shared/lists/search.ts';
import { EmptyState, ErrorState, PageHeader, Unread } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { CopyButton } from '../shared/copy.tsx';
import { Calls } from './Calls.tsx';
import { Destinations } from './Destinations.tsx';
import { Secret } from './Secret.tsx';
import { V3Webhooks } from './V3Webhooks.tsx';
import { receiversOf, TroubledReceivers } from './TroubledReceivers.tsx';
import './webhooks.css';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

const KINDS = ['v3', 'v1'] as const;
const VIEWS = ['destinations', 'calls', 'code'] as const;

const linesOf = (scope: ScopeFilter) =>
  cursorList(['webhooks', 'lines'], { ...scope, limit: '100' }, (input) => call(webhooksRoutes.lines, input));

const lineOf = (scope: ScopeFilter, id: string) =>
  reading(['webhooks', 'line', id, scope], webhooksRoutes.line, { params: { lineage_id: id }, query: scope });

const v3Of = (scope: ScopeFilter) => reading(['webhooks', 'v3', scope], v3Webhooks.list, { query: scope });

/** The one that is shown unless the address names another. */
const firstOf = (lines: readonly WebhookLine[]): WebhookLine | undefined =>
  lines.find(({ works }) => works) ?? lines[0];

export function prefetch({ client, scope }: Visit): void {
  readAhead(client.query(receiversOf(scope)));
  readAhead(client.query(v3Of(scope)));
  void client.infiniteQuery(linesOf(scope)).then(
    ({ pages }) => {
      const first = firstOf(pages[0]?.items ?? []);
      if (first !== undefined) readAhead(client.query(lineOf(scope, first.lineage_id)));
    },
    // The page itself shows what is wrong.
    () => undefined,
  );
}

export function Page() {
  const words = useWords('webhooks');
  const common = useCommonWords();
  const scope = useScopeFilter();
  const search = useSearch();
  const lines = useCursorList(linesOf(scope));
  // A receiver's note that comes late would move what is below it away under the pointer.
  const { isFetched: hasNotes } = useQuery(receiversOf(scope));
  useChanges('webhook', 'webhooks');
  useChanges('audit', 'webhooks');
  const v3 = useQuery(v3Of(scope));
  const change = useChangeSearch();
  // Once there is a webhook of v3, they come first.
  const isV3 = (search['kind'] ?? ((v3.data?.items.length ?? 0) > 0 ? 'v3' : 'v1')) === 'v3';
  const chosen = lines.rows.find(({ lineage_id }) => lineage_id === search['line']) ?? firstOf(lines.rows);
  return (
    <>
      <PageHeader title={common.pages.webhooks} text={words.text} />
      <TroubledReceivers />
      {v3.isFetched && hasNotes && (
        <div className="webhook-bar">
          <SegmentedControl
            aria-label={words.kind}
            value={isV3 ? 'v3' : 'v1'}
            data={KINDS.map((known) => ({ value: known, label: words.kinds[known] }))}
            onChange={(kind) =>
              change({ kind, line: undefined, view: undefined, open: undefined, status: undefined })
            }
          />
        </div>
      )}
      {!v3.isFetched ? null : v3.error !== null && isV3 ? (
        <ErrorState error={v3.error} retry={() => void v3.refetch()} />
      ) : isV3 ? (
        hasNotes && <V3Webhooks items={v3.data?.items ?? []} />
      ) : lines.error !== null ? (
        <ErrorState error={lines.error} retry={lines.retry} />
      ) : chosen === undefined ? (
        !lines.isPending && <EmptyState icon="webhooks" title={words.noLine} text={words.noLineText} />
      ) : (
        hasNotes && <Line key={chosen.lineage_id} lines={lines.rows} line={chosen} />
      )}
    </>
  );
}

const lineName = ({ name, displays }: WebhookLine): string =>
  name === null ? displays.join(', ') : `${name} · ${displays.join(', ')}`;

function Line({ lines, line }: { lines: readonly WebhookLine[]; line: WebhookLine }) {
  const words = useWords('webhooks');
  const scope = useScopeFilter();
  const search = useSearch();
  const change = useChangeSearch();
  const view = VIEWS.find((known) => known === search['view']) ?? 'destinations';
  const detail = useQuery(lineOf(scope, line.lineage_id));
  return (
    <>
      <div className="webhook-bar">
        <NativeSelect
          size="xs"
          label={words.line}
          value={line.lineage_id}
          data={lines.map((one) => ({
            value: one.lineage_id,
            label: one.works ? lineName(one) : words.lineGone({ name: lineName(one) }),
          }))}
          onChange={({ currentTarget }) => change({ line: currentTarget.value, open: undefined })}
        />
        <SegmentedControl
          aria-label={words.view}
          value={view}
          data={VIEWS.map((known) => ({ value: known, label: words.views[known] }))}
          onChange={(next) =>
            change({
              view: next === 'destinations' ? undefined : next,
              open: undefined,
              status: undefined,
            })
          }
        />
      </div>
      {detail.data === undefined ? (
        <Unread query={detail} />
      ) : (
        <>
          {view === 'destinations' && (
            <div className="stack">
              <Destinations lineageId={line.lineage_id} detail={detail.data} />
              <Secret lineageId={line.lineage_id} name={lineName(line)} secrets={detail.data.secrets} />
            </div>
          )}
          {view === 'calls' && <Calls lineageId={line.lineage_id} />}
          {view === 'code' && <Samples />}
        </>
      )}
    </>
  );
}

/** The receivers in the documentation, which a test runs. */
const SAMPLES: Readonly<Record<string, string>> = {
  Node: nodeReceiver,
  Python: pythonReceiver,
  PHP: phpReceiver,
  Go: goReceiver,
};

function Samples() {
  const words = useWords('webhooks');
  const [language, setLanguage] = useState('Node');
  const code = SAMPLES[language] ?? nodeReceiver;
  return (
    <section className="panel stack">
      <p className="quiet">{words.codeText}</p>
      <div className="sample-head">
        <SegmentedControl
          aria-label={words.language}
          value={language}
          data={Object.keys(SAMPLES)}
          onChange={setLanguage}
        />
        <CopyButton value={code} label={language} />
      </div>
      <pre className="code" tabIndex={0} aria-label={language} dir="ltr">
        {code}
      </pre>
    </section>
  );
}
