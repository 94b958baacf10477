import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { operators } from '../../../../server/contract/routes/console/operators.ts';
import type { Role } from '../../../../server/contract/console/common.ts';
import type { OperatorRecord } from '../../../../server/contract/console/operators.ts';
import { call } from '../shared/api.ts';
import { FormDialog } from '../shared/FormDialog.tsx';
import { useScope } from '../shared/session.ts';
import { useWords } from '../shared/words.tsx';
import { CompanySelect, isChosen, type Companies } from './CompanySelect.tsx';
import { MadePassphrase } from './MadePassphrase.tsx';
import { RoleSelect } from './RoleSelect.tsx';

const MAX_NAME_CHARS = 80;

/** Asks for a name, a role and, if there are several, the companies, then shows the generated passphrase once. */
type Props = { onMade: (made: OperatorRecord) => void; onClose: () => void };

export function AddOperator({ onMade, onClose }: Props) {
  const words = useWords('operators');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('staff');
  const [companies, setCompanies] = useState<Companies>(null);
  const hasSeveral = useScope().companies.length > 1;
  const adding = useMutation({
    mutationFn: () => call(operators.create, { body: { name: name.trim(), role, company_ids: companies } }),
    onSuccess: ({ operator }) => onMade(operator),
  });
  if (adding.data !== undefined) return <MadePassphrase made={adding.data} onClose={onClose} />;
  return (
    <FormDialog
      title={words.add}
      submit={words.add}
      isReady={name.trim() !== '' && isChosen(companies)}
      sending={adding}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        data-autofocus
        autoComplete="off"
        maxLength={MAX_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
      {hasSeveral && <CompanySelect value={companies} onChange={setCompanies} />}
      <p className="quiet">{words.passphraseMade}</p>
    </FormDialog>
  );
}
