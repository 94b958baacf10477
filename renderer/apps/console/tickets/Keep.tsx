/** How long the event keeps names and codes of its tickets. */
import { Button, NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { doorTeam } from '../../../../server/contract/routes/console/door-team.ts';
import { MAX_KEEP_DAYS } from '../../../../server/contract/ticket-values.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { Cost } from '../shared/Cost.tsx';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';

type Props = { eventId: string; days: number; version: string };

export function Keep(props: Props) {
  const words = useWords('ticket-sources');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="row">
      <p className="quiet">{words.keep({ days: props.days })}</p>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        {words.keepChange}
      </Button>
      {isOpen && <KeepDialog {...props} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function KeepDialog({ eventId, days, version, onClose }: Props & { onClose: () => void }) {
  const words = useWords('ticket-sources');
  const { actions } = useCommonWords();
  const client = useQueryClient();
  const scopedCall = useScopedCall();
  const form = useForm<{ keep_days: number | string }>({
    name: `ticket names ${eventId}`,
    read: { keep_days: days },
    version,
  });
  const { keep_days: typed } = form.values;
  const saving = useSaving(form, {
    send: ({ keep_days: changed }, readAt) =>
      scopedCall(doorTeam.change, {
        params: { event_id: eventId },
        body: { ...(changed !== undefined && { keep_days: Number(changed) }), version: readAt },
      }),
    onSaved() {
      void client.invalidateQueries({ queryKey: ['ticket-sources'] });
      onClose();
    },
    labels: { keep_days: words.keepDays },
  });
  return (
    <FormDialog
      title={words.keepChange}
      submit={actions.save}
      isReady={typed !== ''}
      sending={saving}
      onClose={onClose}
    >
      <NumberInput
        label={words.keepDays}
        description={words.keepHint({ max: MAX_KEEP_DAYS })}
        data-autofocus
        min={1}
        max={MAX_KEEP_DAYS}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={typed}
        onChange={(value) => form.set({ keep_days: value })}
      />
      <Cost of="ticketNames" />
    </FormDialog>
  );
}
