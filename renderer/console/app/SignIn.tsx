import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '../../../server/contract/console/access.ts';
import { send } from '../shared/api.ts';
import { Icon } from '../shared/icons.tsx';
import { beginSession } from '../shared/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';
import { UnreachableBanner } from './Banners.tsx';
import { Entrance } from './Entrance.tsx';

/** @param ended someone was signed in on this page a moment ago */
export function SignIn({ ended }: { ended: boolean }) {
  const words = useCommonWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const signingIn = useMutation({
    mutationFn: () => send<Me>('POST', '/sign-in', { name, passphrase }),
    onSuccess: (me) => beginSession(client, me),
    onError: () => setPassphrase(''),
  });
  return (
    <Entrance title={words.signIn.title} banner={<UnreachableBanner />}>
      {ended && signingIn.error === null && (
        <p className="note" data-tone="action" role="status">
          <Icon name="info" />
          <span>{words.signIn.ended}</span>
        </p>
      )}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          signingIn.mutate();
        }}
      >
        <TextInput
          label={words.signIn.name}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <PasswordInput
          label={words.signIn.passphrase}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={passphrase}
          onChange={({ currentTarget }) => setPassphrase(currentTarget.value)}
        />
        <ErrorLine error={signingIn.error} />
        <Button type="submit" size="md" loading={signingIn.isPending}>
          {words.signIn.submit}
        </Button>
      </form>
    </Entrance>
  );
}
