/** A source that is another system: how it is connected, what of it is read, and what it was told. */
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TicketSourceRecord } from '../../../../server/contract/console/ticket-sources.ts';
import { ticketSources } from '../../../../server/contract/routes/console/ticket-sources.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { FormDialog, ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { ErrorLine } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';

/** What the other system shows is pasted: the content of a QR code, or a link. */
export function ConnectDialog({
  kind,
  eventId,
  onClose,
  onConnected,
}: {
  kind: 'pretix' | 'hi_events';
  eventId: string;
  onClose: () => void;
  onConnected: () => void;
}) {
  const words = useWords('ticket-sources');
  const call = useScopedCall();
  const form = useForm({ name: `connect ${kind}`, read: { text: '' } });
  const { text } = form.values;
  const connecting = useMutation({
    mutationFn: async () => {
      const of = kind === 'pretix' ? { kind, pairing: text.trim() } : { kind, link: text.trim() };
      const params = { event_id: eventId };
      const { source_id } = await call(ticketSources.create, { params, body: of });
      if (kind === 'hi_events') await call(ticketSources.read, { params: { ...params, source_id } });
    },
    onSuccess() {
      form.saved();
      onConnected();
    },
  });
  return (
    <FormDialog
      title={words.connect[kind]}
      submit={words.connect.submit}
      isReady={text.trim() !== ''}
      sending={{ ...connecting, mutate: () => connecting.mutate(), place: form.place }}
      onClose={onClose}
    >
      <p>{words.connect[`${kind}Text`]}</p>
      <Textarea
        data-autofocus
        autosize
        minRows={3}
        label={words.connect[`${kind}Field`]}
        autoComplete="off"
        spellCheck={false}
        {...form.text('text')}
      />
    </FormDialog>
  );
}

type Props = {
  eventId: string;
  source: TicketSourceRecord;
  sync: NonNullable<TicketSourceRecord['sync']>;
  onChanged: () => void;
};

export function Connected({ eventId, source, sync, onChanged }: Props) {
  const words = useWords('ticket-sources');
  const call = useScopedCall();
  const scope = useScopeFilter();
  const params = { event_id: eventId, source_id: source.source_id };
  const reading = useMutation({
    mutationFn: () => call(ticketSources.read, { params }),
    onSuccess: onChanged,
  });
  const telling = useMutation({
    mutationFn: () => call(ticketSources.tellAgain, { params }),
    onSuccess: onChanged,
  });
  const untold = useQuery({
    queryKey: ['ticket-sources', eventId, source.source_id, 'untold', sync.conflicts, sync.refused, scope],
    queryFn: () => call(ticketSources.untold, { params }),
    enabled: sync.conflicts + sync.refused > 0,
  });
  return (
    <>
      <p role="status">
        {sync.failure !== null
          ? words.failures[sync.failure]
          : words.told({ told: sync.told, waiting: sync.waiting })}{' '}
        {sync.read_at !== null && <Time at={sync.read_at} />}
      </p>
      {source.kind === 'pretix' && !sync.is_chosen && (
        <Choose eventId={eventId} source={source} onChanged={onChanged} />
      )}
      {untold.data !== undefined && (
        <details>
          <summary>{words.untold({ conflicts: sync.conflicts, refused: sync.refused })}</summary>
          <ul>
            {untold.data.items.map((item) => (
              <li key={`${item.at} ${item.name} ${item.direction}`}>
                {item.name ?? words.noName} · <Time at={item.at} exact /> ·{' '}
                {item.status === 'conflict' ? words.conflict : words.refused({ reason: item.reason ?? '–' })}{' '}
                {item.other_at !== null && item.other_at !== '' && <Time at={item.other_at} exact />}
              </li>
            ))}
          </ul>
        </details>
      )}
      <ErrorLine error={reading.error ?? telling.error} />
      <div className="row">
        {sync.is_chosen && (
          <Button
            variant="default"
            loading={reading.isPending}
            aria-label={words.readOf({ name: source.name })}
            onClick={() => reading.mutate()}
          >
            {words.read}
          </Button>
        )}
        {source.kind === 'pretix' && (
          <ConfirmButton
            button={{ 'aria-label': words.rollOf({ name: source.name }) }}
            title={words.rollOf({ name: source.name })}
            confirm={words.roll}
            act={async () => {
              await call(ticketSources.roll, { params });
              onChanged();
            }}
          >
            {words.rollText}
          </ConfirmButton>
        )}
        {sync.refused > 0 && (
          <Button variant="default" loading={telling.isPending} onClick={() => telling.mutate()}>
            {words.tellAgain}
          </Button>
        )}
      </div>
    </>
  );
}

/** The event of pretix, then its check-in list. */
function Choose({ eventId, source, onChanged }: Omit<Props, 'sync'>) {
  const words = useWords('ticket-sources');
  const call = useScopedCall();
  const [event, setEvent] = useState('');
  const [list, setList] = useState('');
  const params = { event_id: eventId, source_id: source.source_id };
  const choices = useQuery({
    queryKey: ['ticket-choices', source.source_id, event],
    queryFn: () => call(ticketSources.choices, { params, query: event === '' ? {} : { event } }),
    placeholderData: (before) => before,
    retry: false,
  });
  const choosing = useMutation({
    mutationFn: () => call(ticketSources.choose, { params, body: { event, list: Number(list) } }),
    onSuccess: onChanged,
  });
  const none = { value: '', label: words.choose };
  return (
    <>
      <div className="list-import__fields">
        <NativeSelect
          label={words.pretixEvent}
          value={event}
          data={[none, ...(choices.data?.events ?? []).map((one) => ({ value: one.event, label: one.name }))]}
          onChange={({ currentTarget: { value } }) => {
            setEvent(value);
            setList('');
          }}
        />
        <NativeSelect
          label={words.pretixList}
          value={list}
          disabled={event === ''}
          data={[
            none,
            ...(choices.data?.lists ?? []).map((one) => ({ value: String(one.list), label: one.name })),
          ]}
          onChange={({ currentTarget: { value } }) => setList(value)}
        />
      </div>
      <ErrorLine error={choices.error ?? choosing.error} />
      <div className="row">
        <Button disabled={list === ''} loading={choosing.isPending} onClick={() => choosing.mutate()}>
          {words.useList}
        </Button>
      </div>
    </>
  );
}
