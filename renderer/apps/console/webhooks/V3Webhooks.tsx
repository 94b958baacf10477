/** Webhooks of v3: one at a time, with its settings, its secret and its calls. */
import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { v3Webhooks } from '../../../../server/contract/routes/console/webhooks.ts';
import type { V3WebhookItem } from '../../../../server/contract/console/webhooks.ts';
import {
  type Signing,
  SIGNINGS,
  V3_EVENTS,
  type V3Event,
} from '../../../../server/contract/webhook-types.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useChangeSearch, useSearch } from '../shared/lists/search.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { EmptyState } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Calls } from './Calls.tsx';
import { Secret } from './Secret.tsx';
import { Address, Events, usePut } from './V3Fields.tsx';
import { V3Settings } from './V3Settings.tsx';

const VIEWS = ['settings', 'calls'] as const;

export function V3Webhooks({ items }: { items: readonly V3WebhookItem[] }) {
  const words = useWords('webhooks');
  const search = useSearch();
  const change = useChangeSearch();
  const [adding, setAdding] = useState(false);
  const chosen = items.find(({ webhook_id: id }) => id === search['line']) ?? items[0];
  const view = VIEWS.find((known) => known === search['view']) ?? 'settings';
  const add = <Button onClick={() => setAdding(true)}>{words.v3.add}</Button>;
  return (
    <>
      {chosen === undefined ? (
        <EmptyState icon="webhooks" title={words.v3.none} text={words.v3.noneText} action={add} />
      ) : (
        <>
          <div className="webhook-bar">
            <NativeSelect
              size="xs"
              label={words.v3.webhook}
              value={chosen.webhook_id}
              data={items.map(({ webhook_id: value, url, description }) => ({
                value,
                label: description === '' ? url : description,
              }))}
              onChange={({ currentTarget }) => change({ line: currentTarget.value, open: undefined })}
            />
            <SegmentedControl
              aria-label={words.view}
              value={view}
              data={VIEWS.map((known) => ({ value: known, label: words.v3.views[known] }))}
              onChange={(next) =>
                change({ view: next === 'settings' ? undefined : next, open: undefined, status: undefined })
              }
            />
            {add}
          </div>
          {view === 'settings' ? (
            <div className="stack" key={chosen.webhook_id}>
              <V3Settings item={chosen} />
              <Secret lineageId={chosen.webhook_id} name={chosen.url} secrets={chosen.secrets} isV3 />
            </div>
          ) : (
            <Calls key={chosen.webhook_id} lineageId={chosen.webhook_id} />
          )}
        </>
      )}
      {adding && (
        <Add
          onAdded={({ webhook_id: line }) => change({ line, view: undefined })}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

function Add({ onAdded, onClose }: { onAdded: (item: V3WebhookItem) => void; onClose: () => void }) {
  const words = useWords('webhooks');
  const call = useScopedCall();
  const put = usePut();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<V3Event[]>([...V3_EVENTS]);
  const [signing, setSigning] = useState<Signing>('shared_secret');
  const adding = useMutation({
    mutationFn: () => call(v3Webhooks.create, { body: { url: url.trim(), events, signing } }),
    onSuccess(item) {
      put(item.webhook_id, item);
      onAdded(item);
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.v3.add}
      submit={words.v3.add}
      isReady={url.trim() !== '' && events.length > 0}
      sending={adding}
      onClose={onClose}
    >
      <Address value={url} onChange={setUrl} />
      <Events value={events} onChange={setEvents} />
      <NativeSelect
        label={words.v3.signing}
        value={signing}
        data={SIGNINGS.map((known) => ({ value: known, label: words.v3.signings[known] }))}
        onChange={({ currentTarget }) =>
          setSigning(SIGNINGS.find((known) => known === currentTarget.value) ?? signing)
        }
      />
    </FormDialog>
  );
}
