/** Where an event's tickets come from. */
import './tickets.css';
import { Button, FileButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TicketSourceRecord } from '../../../../server/contract/console/ticket-sources.ts';
import { MAX_LIST_BYTES } from '../../../../server/contract/console/ticket-sources.ts';
import { events } from '../../../../server/contract/routes/console/events.ts';
import { ticketSources } from '../../../../server/contract/routes/console/ticket-sources.ts';
import { reading } from '../shared/client/api.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { Copyable } from '../shared/copy.tsx';
import { type ScopeFilter, scopeSearch, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { EmptyState, ErrorState, PageHeader, PageSkeleton, Said } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { CodeKeys } from './CodeKeys.tsx';
import { ConnectDialog, Connected } from './Connected.tsx';
import { Keep } from './Keep.tsx';
import { ListImport } from './ListImport.tsx';

const sourcesOf = (eventId: string, scope: ScopeFilter) =>
  reading(['ticket-sources', eventId, scope], ticketSources.list, {
    params: { event_id: eventId },
    query: scope,
  });

/** What is open below the list of sources. */
type Open =
  | { kind: 'file'; file: File; list: TicketSourceRecord | null }
  | { kind: 'any' | 'pretix' | 'hi_events' }
  | { kind: 'remove'; source: TicketSourceRecord };

export function Page() {
  const words = useWords('ticket-sources');
  const scope = useScopeFilter();
  const search = scopeSearch(useSearch());
  const client = useQueryClient();
  const scopedCall = useScopedCall();
  const { event_id: eventId = '' }: { event_id?: string } = useParams({ strict: false });
  const params = { event_id: eventId };
  const event = useQuery(reading(['events', 'one', eventId, scope], events.read, { params, query: scope }));
  const sources = useQuery(sourcesOf(eventId, scope));
  useChanges('venue', 'ticket-sources');
  const [open, setOpen] = useState<Open | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const ended = (sentence: string | null) => {
    setOpen(null);
    setSaid(sentence);
    return client.invalidateQueries({ queryKey: ['ticket-sources'] });
  };
  const choose = (file: File | null, list: TicketSourceRecord | null) => {
    setSaid(null);
    if (file === null) return;
    if (file.size > MAX_LIST_BYTES) setSaid(words.tooLarge({ megabytes: MAX_LIST_BYTES / 1_000_000 }));
    // Browsers name the type after the programs that are installed.
    else setOpen({ kind: 'file', list, file: new File([file], file.name, { type: 'text/csv' }) });
  };
  const failed = event.error ?? sources.error;
  return (
    <>
      <p>
        <Link to="/events" search={{ ...search, open: eventId }} className="text-link">
          ← {words.back}
        </Link>
      </p>
      <PageHeader
        title={event.data === undefined ? words.title : words.titleOf({ name: event.data.name })}
        text={words.text}
      />
      {failed !== null && <ErrorState error={failed} retry={() => void sources.refetch()} />}
      {failed === null && sources.data === undefined && <PageSkeleton />}
      {sources.data !== undefined && (
        <div className="stack">
          <div className="row">
            <FileButton accept=".csv,.txt,.tsv,text/csv" onChange={(file) => choose(file, null)}>
              {(props) => <Button {...props}>{words.importList}</Button>}
            </FileButton>
            <Button variant="default" onClick={() => setOpen({ kind: 'any' })}>
              {words.any}
            </Button>
            <Button variant="default" onClick={() => setOpen({ kind: 'pretix' })}>
              {words.connect.pretix}
            </Button>
            <Button variant="default" onClick={() => setOpen({ kind: 'hi_events' })}>
              {words.connect.hi_events}
            </Button>
          </div>
          <Keep eventId={eventId} days={sources.data.keep_days} version={sources.data.version} />
          {sources.data.items.length > 0 && (
            <section className="panel stack" aria-label={words.home}>
              <h2>{words.home}</h2>
              <p>{sources.data.is_local_only ? words.homeLocal : words.homeText}</p>
              <p>
                <Copyable value={sources.data.home_url} label={words.homeAddress} />
              </p>
            </section>
          )}
          {said !== null && <Said>{said}</Said>}
          {open?.kind === 'file' && (
            <ListImport
              key={`${open.file.name} ${open.list?.source_id}`}
              eventId={eventId}
              file={open.file}
              list={open.list}
              onClose={() => setOpen(null)}
              onImported={({ added, changed }) => void ended(words.imported({ added, changed }))}
            />
          )}
          {sources.data.items.length === 0 ? (
            <EmptyState icon="events" title={words.emptyTitle} text={words.emptyText} />
          ) : (
            sources.data.items.map((source) => (
              <Source
                key={source.source_id}
                eventId={eventId}
                source={source}
                onChanged={() => void ended(null)}
                onFile={(file) => choose(file, source)}
                onRemove={() => setOpen({ kind: 'remove', source })}
              />
            ))
          )}
          <CodeKeys eventId={eventId} />
        </div>
      )}
      {(open?.kind === 'pretix' || open?.kind === 'hi_events') && (
        <ConnectDialog
          kind={open.kind}
          eventId={eventId}
          onClose={() => setOpen(null)}
          onConnected={() => void ended(null)}
        />
      )}
      {open?.kind === 'any' && (
        <ConfirmDialog
          title={words.any}
          confirm={words.anyConfirm}
          act={async () => {
            await scopedCall(ticketSources.create, { params, body: { kind: 'any', name: words.anyName } });
            await ended(null);
          }}
          onClose={() => setOpen(null)}
        >
          {words.anyText}
        </ConfirmDialog>
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={words.removeTitle({ name: open.source.name })}
          confirm={words.remove}
          destructive
          withReason
          act={async (reason) => {
            await scopedCall(ticketSources.remove, {
              params: { ...params, source_id: open.source.source_id },
              body: { reason },
            });
            await ended(null);
          }}
          onClose={() => setOpen(null)}
        >
          {words.removeText({ tickets: open.source.tickets })}
        </ConfirmDialog>
      )}
    </>
  );
}

function Source({
  eventId,
  source,
  onChanged,
  onFile,
  onRemove,
}: {
  eventId: string;
  source: TicketSourceRecord;
  onChanged: () => void;
  onFile: (file: File | null) => void;
  onRemove: () => void;
}) {
  const words = useWords('ticket-sources');
  return (
    <section className="panel stack" aria-label={source.name}>
      <h2>{source.name}</h2>
      <p>
        {words.kinds[source.kind]} · {words.counts({ tickets: source.tickets, invalid: source.not_valid })} ·{' '}
        <Time at={source.updated_at} />
      </p>
      {source.sync !== null && (
        <Connected eventId={eventId} source={source} sync={source.sync} onChanged={onChanged} />
      )}
      <div className="row">
        {source.kind === 'list' && (
          <FileButton accept=".csv,.txt,.tsv,text/csv" onChange={onFile}>
            {(props) => (
              <Button {...props} variant="default" aria-label={words.newerOf({ name: source.name })}>
                {words.newer}
              </Button>
            )}
          </FileButton>
        )}
        <Button variant="subtle" onClick={onRemove} aria-label={words.removeTitle({ name: source.name })}>
          {words.remove}
        </Button>
      </div>
    </section>
  );
}
