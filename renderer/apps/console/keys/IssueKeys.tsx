import { keys } from '../../../../server/contract/routes/console/keys.ts';
import { PAIR_TYPES, type PairIssued, type PairType } from '../../../../server/contract/console/keys.ts';
import { Choices } from '../shared/Choices.tsx';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { KeyName } from './RenameKeys.tsx';

const EMPTY: { type: PairType; name: string; reason: string } = { type: 'v3', name: '', reason: '' };

/** Asks what the keys are for; `onIssued` shows them. */
export function IssueKeys({
  onIssued,
  onClose,
}: {
  onIssued: (issued: PairIssued) => void;
  onClose: () => void;
}) {
  const words = useWords('keys');
  const call = useScopedCall();
  const form = useForm({ name: 'issue keys', read: EMPTY });
  const { type, name, reason } = form.values;
  const issuing = useSaving(form, {
    send: () => call(keys.issue, { body: { type, name, reason: reason.trim() } }),
    onSaved(issued) {
      onIssued(issued);
      onClose();
    },
    labels: {},
  });
  return (
    <FormDialog
      title={words.issueTitle}
      submit={words.issue}
      isReady={isReason(reason)}
      obstacle="needsReason"
      sending={issuing}
      onClose={onClose}
    >
      <p>{words.issueText}</p>
      <KeyName value={name} onChange={(next) => form.set({ name: next })} />
      <Choices
        label={words.type}
        names={PAIR_TYPES}
        texts={words.types}
        help={words.typeHelp}
        value={type}
        onChange={(next) => form.set({ type: next })}
      />
      <Reason value={reason} onChange={(text) => form.set({ reason: text })} />
    </FormDialog>
  );
}
