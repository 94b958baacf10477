import { TextInput } from '@mantine/core';
import { keys } from '../../../../server/contract/routes/console/keys.ts';
import type { KeyPair } from '../../../../server/contract/console/keys.ts';
import { MAX_NAME_CHARS } from '../../../../server/contract/text-bounds.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { text } from '../shared/forms/fields.ts';

/** What the keys are for, also of those that replace them. */
export function RenameKeys({
  pair: { pair_id, lineage_id, name, version },
  onChanged,
  onClose,
}: {
  pair: KeyPair;
  onChanged: (pair: KeyPair) => void;
  onClose: () => void;
}) {
  const words = useWords('keys');
  const call = useScopedCall();
  const form = useForm({ name: `name of ${lineage_id}`, read: { name: name ?? '' }, version });
  const saving = useSaving(form, {
    send: (_changes, read) =>
      call(keys.rename, { params: { pair_id }, body: { name: form.values.name, version: read } }),
    onSaved(pair) {
      onChanged(pair);
      onClose();
    },
    labels: { name: words.name },
    take: (_field, value) => ({ name: (value ?? '') as string }),
  });
  return (
    <FormDialog
      title={words.rename}
      submit={words.rename}
      isReady={form.isChanged}
      obstacle="unchanged"
      sending={saving}
      onClose={onClose}
    >
      <KeyName value={form.values.name} onChange={(next) => form.set({ name: next })} />
    </FormDialog>
  );
}

export function KeyName({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const words = useWords('keys');
  return (
    <TextInput
      data-autofocus
      label={words.name}
      description={words.nameHelp}
      autoComplete="off"
      maxLength={MAX_NAME_CHARS}
      {...text(value, onChange)}
    />
  );
}
