import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { operators } from '../../../../server/contract/routes/console/operators.ts';
import { MAX_OPERATOR_NAME_CHARS } from '../../../../server/contract/console/access.ts';
import { type Role, ROLES } from '../../../../server/contract/console/common.ts';
import type {
  OperatorRecord,
  OperatorWithPassphrase,
} from '../../../../server/contract/console/operators.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { call } from '../shared/client/api.ts';
import { useScope } from '../shared/client/session.ts';
import { useWords, useCommonWords } from '../shared/words.tsx';
import { Secrets, ShownOnceDialog } from '../shared/dialogs/ShownOnce.tsx';
import { Choices } from '../shared/Choices.tsx';
import { CompanySelect, isChosen, type Companies } from './CompanySelect.tsx';

type Props = { onMade: (made: OperatorRecord) => void; onClose: () => void };

/** Asks for a name, a role and, if there are several, the companies, then shows the generated passphrase once. */
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
        maxLength={MAX_OPERATOR_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <RoleSelect value={role} onChange={setRole} />
      {hasSeveral && <CompanySelect value={companies} onChange={setCompanies} />}
      <p className="quiet">{words.passphraseMade}</p>
    </FormDialog>
  );
}

export function MadePassphrase({ made, onClose }: { made: OperatorWithPassphrase; onClose: () => void }) {
  const words = useWords('operators');
  const { name } = made.operator;
  return (
    <ShownOnceDialog
      title={words.passphraseFor({ name })}
      warning={words.passphraseWarning}
      confirm={words.passphraseStored}
      done={words.done}
      onDone={onClose}
    >
      <Secrets secrets={[{ label: name, value: made.passphrase ?? '' }]} />
    </ShownOnceDialog>
  );
}

/** The three roles, each with its permissions. */
export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const words = useWords('operators');
  const { roles } = useCommonWords();
  return (
    <Choices
      label={words.role}
      names={ROLES}
      texts={roles}
      help={words.roleHelp}
      value={value}
      onChange={onChange}
    />
  );
}
