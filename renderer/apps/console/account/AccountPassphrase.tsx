import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../../../../server/contract/routes/console/access.ts';
import { call } from '../shared/api.ts';
import { NewPassphrase } from '../shared/NewPassphrase.tsx';
import { strengthOf } from '../shared/passphrase.ts';
import { ErrorLine, Said } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

export function AccountPassphrase() {
  const words = useWords('account');
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useMutation({
    mutationFn: () => call(account.changePassphrase, { body: { current, next } }),
    onSuccess: (left) => {
      setCurrent('');
      setNext('');
      client.setQueryData(['own-sessions'], left);
    },
  });
  const ready = current !== '' && !['short', 'weak'].includes(strengthOf(next));
  return (
    <section className="panel" aria-labelledby="own-passphrase">
      <h2 id="own-passphrase">{words.passphraseTitle}</h2>
      <p className="quiet">{words.passphraseText}</p>
      <form
        className="stack form"
        onSubmit={(event) => {
          event.preventDefault();
          changing.mutate();
        }}
      >
        <PasswordInput
          label={words.current}
          autoComplete="current-password"
          value={current}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
        />
        <NewPassphrase label={words.next} value={next} onChange={setNext} />
        <ErrorLine error={changing.error} />
        {changing.isSuccess && <Said>{words.changed}</Said>}
        <div>
          <Button type="submit" variant="default" disabled={!ready} loading={changing.isPending}>
            {words.change}
          </Button>
        </div>
      </form>
    </section>
  );
}
