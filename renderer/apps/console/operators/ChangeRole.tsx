import { operators } from '../../../../server/contract/routes/console/operators.ts';
import type { Role } from '../../../../server/contract/console/common.ts';
import type { OperatorRecord } from '../../../../server/contract/console/operators.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { call } from '../shared/client/api.ts';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { RoleSelect } from './AddOperator.tsx';

export function ChangeRole({
  operator: { operator_id, name, role: stored, version },
  onChanged,
  onClose,
}: {
  operator: OperatorRecord;
  onChanged: (operator: OperatorRecord) => void;
  onClose: () => void;
}) {
  const words = useWords('operators');
  const { roles } = useCommonWords();
  const form = useForm({ name: `role of ${operator_id}`, read: { role: stored, reason: '' }, version });
  const { role, reason } = form.values;
  const saving = useSaving(form, {
    send: (_changes, read) =>
      call(operators.change, {
        params: { operator_id },
        body: { role, reason: reason.trim(), version: read },
      }),
    onSaved(operator) {
      onChanged(operator);
      onClose();
    },
    labels: { role: words.role },
    show: (_field, value) => roles[value as Role],
  });
  return (
    <FormDialog
      title={words.changeTitle({ name })}
      submit={words.change}
      isReady={isReason(reason)}
      obstacle="needsReason"
      sending={saving}
      onClose={onClose}
    >
      <RoleSelect value={role} onChange={(next) => form.set({ role: next })} />
      <Reason data-autofocus value={reason} onChange={(text) => form.set({ reason: text })} />
    </FormDialog>
  );
}
