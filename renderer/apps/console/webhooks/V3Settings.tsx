/** The settings of one v3 webhook: changed, tested and deleted. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { v3Webhooks } from '../../../../server/contract/routes/console/webhooks.ts';
import type { V3WebhookItem } from '../../../../server/contract/console/webhooks.ts';
import type { V3Event } from '../../../../server/contract/webhook-types.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { ErrorLine, Said } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { eventName } from './event-name.ts';
import { Address, Events, usePut } from './V3Fields.tsx';
import { ReceiverState } from './WebhookState.tsx';

export function V3Settings({ item }: { item: V3WebhookItem }) {
  const words = useWords('webhooks');
  const { actions } = useCommonWords();
  const call = useScopedCall();
  const put = usePut();
  const [sample, setSample] = useState<V3Event | undefined>(item.events[0]);
  const params = { webhook_id: item.webhook_id };
  // Without a draft: an address can contain a key.
  const form = useForm({
    name: null,
    read: { url: item.url, events: item.events, description: item.description },
    version: item.version,
  });
  const { url, events } = form.values;
  const saving = useSaving(form, {
    send: (changes, version) => call(v3Webhooks.save, { params, body: { ...changes, version } }),
    onSaved: (saved) => put(saved.webhook_id, saved),
    labels: { url: words.destination, events: words.v3.events, description: words.v3.note },
  });
  const testing = useMutation({
    mutationFn: (type: V3Event) => call(v3Webhooks.test, { params, body: { type } }),
  });
  return (
    <section className="panel stack">
      <Facts>
        <Fact term={words.state}>
          <ReceiverState state={item.state} />
        </Fact>
        <Fact term={words.v3.signing}>{words.v3.signings[item.signing]}</Fact>
        <Fact term={words.waiting}>{item.pending}</Fact>
      </Facts>
      <Form onSubmit={() => url.trim() !== '' && events.length > 0 && saving.mutate()}>
        <Address value={url} onChange={(next) => form.set({ url: next })} />
        <TextInput label={words.v3.note} maxLength={200} {...form.text('description')} />
        <Events value={events} onChange={(next) => form.set({ events: next })} />
        {saving.notes}
        <ErrorLine error={saving.error} />
        {saving.isSuccess && <Said>{actions.saved}</Said>}
        <div className="row">
          <Submit
            obstacle={
              url.trim() === '' || events.length === 0
                ? 'incomplete'
                : !form.isChanged && item.state === 'working'
                  ? 'unchanged'
                  : null
            }
            loading={saving.isPending}
          >
            {item.state === 'gone' ? words.enable : actions.save}
          </Submit>
        </div>
      </Form>
      <div className="row">
        <NativeSelect
          aria-label={words.event}
          value={sample ?? ''}
          data={item.events.map((event) => ({ value: event, label: eventName(words, event) }))}
          onChange={({ currentTarget }) =>
            setSample(item.events.find((event) => event === currentTarget.value))
          }
        />
        <Button
          variant="default"
          loading={testing.isPending}
          disabled={sample === undefined || item.state === 'gone'}
          onClick={() => sample !== undefined && testing.mutate(sample)}
        >
          {words.test}
        </Button>
        <ConfirmButton
          button={{ c: 'var(--refused)' }}
          title={words.v3.removeTitle({ url: item.url })}
          confirm={words.remove}
          destructive
          withReason
          act={async (reason) => {
            await call(v3Webhooks.remove, { params, body: { reason } });
            form.discard();
            put(item.webhook_id, null);
          }}
        >
          {words.removeText({ url: item.url })}
        </ConfirmButton>
      </div>
      <ErrorLine error={testing.error} />
      {testing.data !== undefined && <Said>{words.v3.testSent({ id: testing.data.transaction_id })}</Said>}
    </section>
  );
}
