import { NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { usage } from '../../../../server/contract/routes/console/usage.ts';
import { MAX_DAILY_LIMIT, type UsageToday } from '../../../../server/contract/console/usage.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { Note } from '../shared/states.tsx';

/** Name of the draft. */
export const CAP_DRAFT = 'cap';

/** A new cap, with its reason. */
export function ChangeCap({
  today: { cap, counted, version },
  onClose,
}: {
  today: UsageToday;
  onClose: () => void;
}) {
  const words = useWords('usage');
  const client = useQueryClient();
  const scope = useScopeFilter();
  const call = useScopedCall();
  const form = useForm<{ daily_limit: number | string; reason: string }>({
    name: CAP_DRAFT,
    read: { daily_limit: cap, reason: '' },
    version,
  });
  const { daily_limit: next, reason } = form.values;
  const saving = useSaving(form, {
    send: (_changes, read) =>
      call(usage.changeCap, {
        body: { daily_limit: Number(next), reason: reason.trim(), version: read },
      }),
    onSaved({ today, changes }) {
      client.setQueryData(['usage-today', scope], today);
      client.setQueriesData({ queryKey: ['usage', 'cap', scope] }, { pages: [changes], pageParams: [''] });
      onClose();
    },
    labels: { daily_limit: words.cap },
  });
  const stopsChecks = next !== '' && Number(next) < cap && Number(next) <= counted;
  return (
    <FormDialog
      title={words.changeCap}
      submit={stopsChecks ? words.capStop : words.changeCap}
      destructive={stopsChecks}
      isReady={next !== '' && isReason(reason)}
      obstacle={next === '' ? 'incomplete' : 'needsReason'}
      sending={saving}
      onClose={onClose}
    >
      <NumberInput
        label={words.cap}
        description={words.capHelp}
        min={0}
        max={MAX_DAILY_LIMIT}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        thousandSeparator=" "
        value={next}
        onChange={(value) => form.set({ daily_limit: value })}
      />
      {stopsChecks && (
        <Note tone="refused" role="alert">
          {words.capStops({ count: counted })}
        </Note>
      )}
      <Reason data-autofocus value={reason} onChange={(text) => form.set({ reason: text })} />
    </FormDialog>
  );
}
