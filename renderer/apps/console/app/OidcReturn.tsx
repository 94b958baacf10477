import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { call } from '../shared/client/api.ts';
import { beginSession } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';
import { UnreachableBanner } from './Banners.tsx';
import { Entrance } from './Entrance.tsx';

/** The page to which the identity provider sends the browser back. The code in its address works once. */
export function OidcReturn({ onLeave }: { onLeave: () => void }) {
  const { signIn: words } = useCommonWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [query] = useState(() => window.location.search.slice(1));
  const finishing = useMutation({
    mutationFn: () => call(session.signInWithOidc, { body: { query } }),
    onSuccess(me) {
      onLeave();
      beginSession(client, me);
    },
  });
  const finish = useEffectEvent(() => {
    // The code is a secret for a moment, so it stays neither in the address nor in the history.
    void navigate({ to: '/', replace: true });
    finishing.mutate();
  });
  useEffect(() => finish(), []);
  return (
    <Entrance title={words.title} banner={<UnreachableBanner />}>
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
