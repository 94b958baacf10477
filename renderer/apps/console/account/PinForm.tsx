/** Sets the operator's own kiosk PIN, on their account and before they open a kiosk. */
import { PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { account } from '../../../../server/contract/routes/console/access.ts';
import { PIN_DIGITS, PIN_PATTERN } from '../../../../server/contract/text-bounds.ts';
import { call } from '../shared/client/api.ts';
import { meQuery } from '../shared/client/session.ts';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { CurrentPassphrase } from '../shared/forms/CurrentPassphrase.tsx';
import { text } from '../shared/forms/fields.ts';

const PIN = new RegExp(PIN_PATTERN);

type PinFormProps = {
  onSet?: () => void;
  /** What the form says below its fields. */
  said?: ReactNode;
  /** Buttons beside its own. */
  children?: ReactNode;
};

export function PinForm({ onSet, said, children }: PinFormProps) {
  const words = useWords('account');
  const client = useQueryClient();
  const [passphrase, setPassphrase] = useState('');
  const [pin, setPin] = useState('');
  useUnsaved(pin !== '');
  const setting = useMutation({
    mutationFn: () => call(account.changePin, { body: { passphrase, pin } }),
    onSuccess: (me) => {
      setPassphrase('');
      setPin('');
      client.setQueryData(meQuery.queryKey, me);
      onSet?.();
    },
  });
  return (
    <Form className="stack form" onSubmit={() => setting.mutate()}>
      <PasswordInput
        label={words.pin}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        maxLength={PIN_DIGITS}
        {...text(pin, setPin)}
      />
      <CurrentPassphrase label={words.current} value={passphrase} onChange={setPassphrase} />
      <ErrorLine error={setting.error} />
      {said}
      <div className="row">
        <Submit
          variant="default"
          obstacle={PIN.test(pin) && passphrase !== '' ? null : 'incomplete'}
          loading={setting.isPending}
        >
          {words.setPin}
        </Submit>
        {children}
      </div>
    </Form>
  );
}
