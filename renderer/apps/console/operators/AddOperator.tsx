import { TextInput } from '@mantine/core';
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
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords, useCommonWords } from '../shared/words.tsx';
import { Secrets, ShownOnceDialog } from '../shared/dialogs/ShownOnce.tsx';
import { Choices } from '../shared/Choices.tsx';
import { CompanySelect, isChosen, type Companies } from './CompanySelect.tsx';

/** Name of the draft. */
export const NEW_OPERATOR_DRAFT = 'new operator';
const BLANK: { name: string; role: Role; companies: Companies } = {
  name: '',
  role: 'staff',
  companies: null,
};

type Props = { onMade: (made: OperatorRecord) => void; onClose: () => void };

/** Asks for a name, a role and, if there are several, the companies, then shows the generated passphrase once. */
export function AddOperator({ onMade, onClose }: Props) {
  const words = useWords('operators');
  const form = useForm({ name: NEW_OPERATOR_DRAFT, read: BLANK });
  const { name, role, companies } = form.values;
  const [made, setMade] = useState<OperatorWithPassphrase | null>(null);
  const hasSeveral = useScope().companies.length > 1;
  const adding = useSaving(form, {
    send: () => call(operators.create, { body: { name: name.trim(), role, company_ids: companies } }),
    onSaved(added) {
      setMade(added);
      onMade(added.operator);
    },
    labels: {},
  });
  if (made !== null) return <MadePassphrase made={made} onClose={onClose} />;
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
        {...form.text('name')}
      />
      <RoleSelect value={role} onChange={(next) => form.set({ role: next })} />
      {hasSeveral && <CompanySelect value={companies} onChange={(ids) => form.set({ companies: ids })} />}
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
