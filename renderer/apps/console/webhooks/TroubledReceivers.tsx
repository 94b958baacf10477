import { Button } from '@mantine/core';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { webhooks } from '../../../../server/contract/routes/console/webhooks.ts';
import type { WebhookLineDetail, WebhookReceiver } from '../../../../server/contract/console/webhooks.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Icon } from '../shared/icons.tsx';
import { dropRow, putRow } from '../shared/client/put-row.ts';
import { type ScopeFilter, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { reading } from '../shared/client/api.ts';

export const receiversOf = (scope: ScopeFilter) =>
  reading(['webhooks', 'receivers', scope], webhooks.receivers, { query: scope });

/** Receivers that are gone, paused or failing, for any key; hidden if there are none. */
export function TroubledReceivers() {
  const words = useWords('webhooks');
  const client = useQueryClient();
  const scope = useScopeFilter();
  const scopedCall = useScopedCall();
  const [asked, setAsked] = useState<{ origin: string; verb: 'pause' | 'resume' } | null>(null);
  const { data } = useQuery(receiversOf(scope));
  return (
    <>
      {data?.items.map((receiver) => (
        <Note
          key={receiver.origin}
          receiver={receiver}
          onAsk={(verb) => setAsked({ origin: receiver.origin, verb })}
        />
      ))}
      {asked !== null && (
        <ConfirmDialog
          title={words[`${asked.verb}Title`]({ origin: asked.origin })}
          confirm={words[asked.verb]}
          withReason
          act={async (reason) => {
            const body = { origin: asked.origin, reason };
            showReceiver(client, await scopedCall(webhooks[`${asked.verb}Receiver`], { body }));
          }}
          onClose={() => setAsked(null)}
        >
          {words[`${asked.verb}Text`]}
        </ConfirmDialog>
      )}
    </>
  );
}

/** In the list of troubled receivers, and with the destinations of every key family. */
function showReceiver(client: QueryClient, changed: WebhookReceiver): void {
  putRow(client, 'webhooks', 'origin', changed);
  if (changed.state === 'working')
    dropRow<WebhookReceiver>(client, ['webhooks', 'receivers'], ({ origin }) => origin === changed.origin);
  client.setQueriesData<WebhookLineDetail>(
    { queryKey: ['webhooks', 'line'] },
    (line) =>
      line && {
        ...line,
        destinations: line.destinations.map((item) =>
          item.receiver?.origin === changed.origin ? { ...item, receiver: changed } : item,
        ),
      },
  );
}

function Note({
  receiver: { origin, state, pending },
  onAsk,
}: {
  receiver: WebhookReceiver;
  onAsk: (verb: 'pause' | 'resume') => void;
}) {
  const words = useWords('webhooks');
  const verb = state === 'failing' ? 'pause' : 'resume';
  // Somebody paused it on purpose, and nothing is late.
  const isQuiet = state === 'paused' && pending === 0;
  return (
    <p className="note receiver-note" data-tone={isQuiet ? 'quiet' : 'look'}>
      <Icon name={isQuiet ? 'info' : 'look'} />
      <span>
        {state === 'gone'
          ? words.goneNote({ origin })
          : state === 'paused'
            ? words.pausedNote({ origin, calls: pending })
            : words.failingNote({ origin, calls: pending })}
      </span>
      <Button variant="default" size="xs" onClick={() => onAsk(verb)}>
        {words[verb]}
      </Button>
    </p>
  );
}
