import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { operators } from '../../../../server/contract/routes/console/operators.ts';
import type { OperatorRecord } from '../../../../server/contract/console/operators.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { call } from '../shared/client/api.ts';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { useWords } from '../shared/words.tsx';
import { CompanySelect, isChosen, type Companies } from './CompanySelect.tsx';

export function ChangeCompanies({
  operator: { operator_id, name, company_ids },
  onChanged,
  onClose,
}: {
  operator: OperatorRecord;
  onChanged: (operator: OperatorRecord) => void;
  onClose: () => void;
}) {
  const words = useWords('operators');
  const [companies, setCompanies] = useState<Companies>(company_ids);
  const [reason, setReason] = useState('');
  const saving = useMutation({
    mutationFn: () =>
      call(operators.change, {
        params: { operator_id },
        body: { company_ids: companies, reason: reason.trim() },
      }),
    onSuccess: (operator) => {
      onChanged(operator);
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.companiesTitle({ name })}
      submit={words.companiesChange}
      isReady={isChosen(companies) && isReason(reason)}
      sending={saving}
      onClose={onClose}
    >
      <CompanySelect value={companies} onChange={setCompanies} />
      <Reason value={reason} onChange={setReason} />
    </FormDialog>
  );
}
