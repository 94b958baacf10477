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
import { useScope } from '../shared/client/session.ts';
import { CompanySelect, isChosen, type Companies } from './CompanySelect.tsx';

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

export function ChangeCompanies({
  operator: { operator_id, name, company_ids, version },
  onChanged,
  onClose,
}: {
  operator: OperatorRecord;
  onChanged: (operator: OperatorRecord) => void;
  onClose: () => void;
}) {
  const words = useWords('operators');
  const { companies: all } = useScope();
  const form = useForm<{ company_ids: Companies; reason: string }>({
    name: `companies of ${operator_id}`,
    read: { company_ids, reason: '' },
    version,
  });
  const { company_ids: companies, reason } = form.values;
  const saving = useSaving(form, {
    send: (changes, read) =>
      call(operators.change, {
        params: { operator_id },
        body: { ...changes, reason: reason.trim(), version: read },
      }),
    labels: { company_ids: words.companies },
    show: (_field, value) =>
      value === null
        ? words.companiesAll
        : (value as string[])
            .map((id) => all.find(({ company_id }) => company_id === id)?.name ?? id)
            .join(', '),
    onSaved: (operator) => {
      onChanged(operator);
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.companiesTitle({ name })}
      submit={words.companiesChange}
      isReady={isChosen(companies) && isReason(reason)}
      obstacle={isChosen(companies) ? 'needsReason' : 'incomplete'}
      sending={saving}
      onClose={onClose}
    >
      <CompanySelect value={companies} onChange={(ids) => form.set({ company_ids: ids })} />
      <Reason value={reason} onChange={(text) => form.set({ reason: text })} />
    </FormDialog>
  );
}
