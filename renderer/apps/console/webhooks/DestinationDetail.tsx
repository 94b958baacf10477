import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { webhooks } from '../../../../server/contract/routes/console/webhooks.ts';
import type {
  WebhookDestinationItem,
  WebhookLineDetail,
} from '../../../../server/contract/console/webhooks.ts';
import { MAX_ADDRESS_CHARS } from '../../../../server/contract/text-bounds.ts';
import { WEBHOOK_TYPES, type WebhookType } from '../../../../server/contract/webhook-types.ts';
import { Sentence } from '../shared/Sentence.tsx';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Fact, Facts, TimeFact } from '../shared/lists/DetailDrawer.tsx';
import { putRow } from '../shared/client/put-row.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { ErrorLine, Said } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { DestinationState } from './WebhookState.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { tick } from '../shared/forms/fields.ts';

type Props = {
  lineageId: string;
  type: WebhookType;
  item: WebhookDestinationItem | undefined;
  /** Of a type without a destination. */
  unsetVersion: string;
};

/** Sets, tests, and deletes the destination of one kind of event. */
export function DestinationDetail({ lineageId, type, item, unsetVersion }: Props) {
  const words = useWords('webhooks');
  const { actions } = useCommonWords();
  const client = useQueryClient();
  const scope = useScopeFilter();
  const call = useScopedCall();
  const [isForAll, setForAll] = useState(false);
  const params = { lineage_id: lineageId, webhook_type: type };
  const show = (changed: WebhookLineDetail) => {
    client.setQueryData(['webhooks', 'line', lineageId, scope], changed);
    putRow(client, 'webhooks', 'lineage_id', changed.line);
  };
  // Without a draft: an address can contain a key.
  const form = useForm({
    name: null,
    read: { destination_url: item?.destination_url ?? '' },
    version: item?.version ?? unsetVersion,
  });
  const { destination_url: url } = form.values;
  const saving = useSaving(form, {
    async send(_changes, version) {
      const body = { destination_url: url.trim() };
      let saved = await call(webhooks.saveDestination, { params, body: { ...body, version } });
      if (!isForAll) return saved;
      show(saved);
      for (const other of WEBHOOK_TYPES.filter((each) => each !== type)) {
        const place = { lineage_id: lineageId, webhook_type: other };
        saved = await call(webhooks.saveDestination, { params: place, body });
      }
      return saved;
    },
    onSaved: show,
    labels: { destination_url: words.destination },
    take: (_field, value) => ({ destination_url: (value ?? '') as string }),
  });
  const testing = useMutation({
    mutationFn: () => call(webhooks.testDestination, { params }),
  });

  return (
    <div className="stack">
      <p>
        <code>{type}</code>
      </p>
      {item !== undefined && <DestinationFacts item={item} />}
      <Form onSubmit={() => url.trim() !== '' && saving.mutate()}>
        <TextInput
          label={words.destination}
          description={item === undefined ? words.destinationHelp : words.saveText}
          type="url"
          placeholder="https://tickets.example.org/gatehouse"
          autoComplete="off"
          maxLength={MAX_ADDRESS_CHARS}
          {...form.text('destination_url')}
        />
        <Checkbox label={words.forAll} {...tick(isForAll, setForAll)} />
        {saving.notes}
        <ErrorLine error={saving.error} />
        {saving.isSuccess && <Said>{actions.saved}</Said>}
        <div className="row">
          <Submit
            obstacle={
              url.trim() === ''
                ? 'incomplete'
                : !isForAll && url.trim() === item?.destination_url && item.disabled_at === null
                  ? 'unchanged'
                  : null
            }
            loading={saving.isPending}
          >
            {item === undefined ? words.set : item.disabled_at !== null ? words.enable : words.edit}
          </Submit>
        </div>
      </Form>
      {item !== undefined && (
        <div className="row">
          <Button
            variant="default"
            disabled={item.disabled_at !== null}
            loading={testing.isPending}
            onClick={() => testing.mutate()}
          >
            {words.test}
          </Button>
          <ConfirmButton
            button={{ c: 'var(--refused)' }}
            title={words.removeTitle({ event: type })}
            confirm={words.remove}
            destructive
            withReason
            act={async (reason) => {
              show(await call(webhooks.removeDestination, { params, body: { reason } }));
              form.discard();
            }}
          >
            {words.removeText({ url: item.destination_url })}
          </ConfirmButton>
        </div>
      )}
      <ErrorLine error={testing.error} />
      {testing.data !== undefined && (
        <Said>
          <Sentence words={(id) => words.testSent({ id })}>
            <code>{testing.data.transaction_id}</code>
          </Sentence>
        </Said>
      )}
    </div>
  );
}

function DestinationFacts({ item }: { item: WebhookDestinationItem }) {
  const words = useWords('webhooks');
  const { receiver } = item;
  return (
    <Facts>
      <Fact term={words.state}>
        <DestinationState item={item} />
      </Fact>
      {item.disabled_at !== null && (
        <Fact term={words.offBecause}>
          <Time at={item.disabled_at} /> · {item.disabled_reason}
        </Fact>
      )}
      <TimeFact term={words.changed} at={item.changed_at} />
      {receiver !== null && (
        <>
          <TimeFact term={words.lastSuccess} at={receiver.last_success_at} exact="utc" />
          {receiver.failing_since !== null && (
            <TimeFact term={words.failingSince} at={receiver.failing_since} exact="utc" />
          )}
          <Fact term={words.waiting}>{receiver.pending}</Fact>
        </>
      )}
    </Facts>
  );
}
