/** What the forms of a v3 webhook share. */
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { V3WebhookItem } from '../../../../server/contract/console/webhooks.ts';
import { MAX_ADDRESS_CHARS } from '../../../../server/contract/text-bounds.ts';
import { V3_EVENTS, type V3Event } from '../../../../server/contract/webhook-types.ts';
import { useScopeFilter } from '../shared/client/session.ts';
import { Cost } from '../shared/Cost.tsx';
import { useWords } from '../shared/words.tsx';
import { text } from '../shared/forms/fields.ts';
import { eventName } from './event-name.ts';

/** Puts a changed or new webhook into the list, or takes one out. */
export function usePut() {
  const client = useQueryClient();
  const scope = useScopeFilter();
  return (id: string, item: V3WebhookItem | null) =>
    client.setQueryData<{ items: V3WebhookItem[] }>(['webhooks', 'v3', scope], (list) => {
      const items = list?.items ?? [];
      if (item === null) return { items: items.filter(({ webhook_id: other }) => other !== id) };
      const isKnown = items.some(({ webhook_id: other }) => other === id);
      return {
        items: isKnown ? items.map((other) => (other.webhook_id === id ? item : other)) : [...items, item],
      };
    });
}

export function Events({
  value,
  onChange,
}: {
  value: readonly V3Event[];
  onChange: (value: V3Event[]) => void;
}) {
  const words = useWords('webhooks');
  return (
    <Checkbox.Group
      label={words.v3.events}
      value={[...value]}
      onChange={(next) => onChange(V3_EVENTS.filter((event) => next.includes(event)))}
    >
      <div className="stack">
        {V3_EVENTS.map((event) => (
          <Checkbox
            key={event}
            value={event}
            label={
              <>
                {eventName(words, event)} <code>{event}</code>
              </>
            }
          />
        ))}
        <Cost of="webhooks" />
      </div>
    </Checkbox.Group>
  );
}

export function Address({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const words = useWords('webhooks');
  return (
    <TextInput
      label={words.destination}
      description={words.destinationHelp}
      type="url"
      placeholder="https://tickets.example.org/gatehouse"
      autoComplete="off"
      maxLength={MAX_ADDRESS_CHARS}
      {...text(value, onChange)}
    />
  );
}
