import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { call } from '../shared/client/api.ts';
import { beginSession } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';
import { Entrance } from './Entrance.tsx';

/**
 * The page to which the identity provider sends the browser back.
 * @param query of its address; the code in it works once
 */
export function OidcReturn({ query, onLeave }: { query: string; onLeave: () => void }) {
  const { signIn: words } = useCommonWords();
  const client = useQueryClient();
  const finishing = useMutation({
    mutationFn: () => call(session.signInWithOidc, { body: { query } }),
    onSuccess(me) {
      onLeave();
      beginSession(client, me);
    },
  });
  const finish = useEffectEvent(() => finishing.mutate());
  useEffect(() => finish(), []);
  return (
    <Entrance title={words.title}>
      {finishing.error === null ? (
        <p role="status">{words.returning}</p>
      ) : (
        <>
          <ErrorLine error={finishing.error} />
          <Button size="md" onClick={onLeave}>
            {words.back}
          </Button>
        </>
      )}
    </Entrance>
  );
}
