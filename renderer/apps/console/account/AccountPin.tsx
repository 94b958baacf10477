import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../../../../server/contract/routes/console/access.ts';
import { PIN_DIGITS, PIN_PATTERN } from '../../../../server/contract/text-bounds.ts';
import { call } from '../shared/client/api.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { meQuery, useMe } from '../shared/client/session.ts';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { ErrorLine, Said } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const PIN = new RegExp(PIN_PATTERN);

export function AccountPin() {
  const words = useWords('account');
  const client = useQueryClient();
  const { has_pin } = useMe();
  const [passphrase, setPassphrase] = useState('');
  const [pin, setPin] = useState('');
  const [isAsking, setAsking] = useState(false);
  useUnsaved(pin !== '');
  const changing = useMutation({
    mutationFn: (change: 'set' | 'remove') =>
      change === 'set' ? call(account.changePin, { body: { passphrase, pin } }) : call(account.removePin),
    onSuccess: (me) => {
      setPassphrase('');
      setPin('');
      client.setQueryData(meQuery.queryKey, me);
    },
  });
  return (
    <section className="panel" aria-labelledby="own-pin">
      <h2 id="own-pin">{words.pinTitle}</h2>
      <p className="quiet">{words.pinText}</p>
      <form
        className="stack form"
        onSubmit={(event) => {
          event.preventDefault();
          changing.mutate('set');
        }}
      >
        <PasswordInput
          label={words.pin}
          inputMode="numeric"
          autoComplete="off"
          maxLength={PIN_DIGITS}
          value={pin}
          onChange={({ currentTarget }) => setPin(currentTarget.value)}
        />
        <PasswordInput
          label={words.current}
          autoComplete="current-password"
          value={passphrase}
          onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
        />
        <ErrorLine error={changing.variables === 'set' ? changing.error : null} />
        {changing.isSuccess && <Said>{changing.variables === 'set' ? words.pinSet : words.pinRemoved}</Said>}
        <div className="row">
          <Button
            type="submit"
            variant="default"
            disabled={!PIN.test(pin) || passphrase === ''}
            loading={changing.isPending}
          >
            {words.setPin}
          </Button>
          {has_pin && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {words.removePin}
            </Button>
          )}
        </div>
      </form>
      {isAsking && (
        <ConfirmDialog
          title={words.removePinTitle}
          confirm={words.removePin}
          destructive
          act={() => changing.mutateAsync('remove')}
          onClose={() => setAsking(false)}
        >
          {words.removePinText}
        </ConfirmDialog>
      )}
    </section>
  );
}
