import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../../../../server/contract/routes/console/access.ts';
import { call } from '../shared/client/api.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { meQuery, useMe } from '../shared/client/session.ts';
import { Said } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { PinForm } from './PinForm.tsx';

export function AccountPin() {
  const words = useWords('account');
  const client = useQueryClient();
  const { has_pin } = useMe();
  const [done, setDone] = useState<'set' | 'removed' | null>(null);
  const [isAsking, setAsking] = useState(false);
  const removing = useMutation({
    mutationFn: () => call(account.removePin),
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me);
      setDone('removed');
    },
  });
  return (
    <section className="panel" aria-labelledby="own-pin">
      <h2 id="own-pin">{words.pinTitle}</h2>
      <p className="quiet">{words.pinText}</p>
      <PinForm
        onSet={() => setDone('set')}
        said={done !== null && <Said>{done === 'set' ? words.pinSet : words.pinRemoved}</Said>}
      >
        {has_pin && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {words.removePin}
          </Button>
        )}
      </PinForm>
      {isAsking && (
        <ConfirmDialog
          title={words.removePinTitle}
          confirm={words.removePin}
          destructive
          act={() => removing.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {words.removePinText}
        </ConfirmDialog>
      )}
    </section>
  );
}
