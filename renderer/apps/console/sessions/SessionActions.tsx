/** The current actions for the session, as reported by the server. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessions } from '../../../../server/contract/routes/console/sessions.ts';
import type { SessionAction, SessionDetail } from '../../../../server/contract/console/sessions.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { putRow } from '../shared/client/put-row.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { whoIs } from './labels.tsx';

/** Actions that lose data. */
const DESTRUCTIVE: readonly SessionAction[] = ['cancel', 'lock', 'deny'];

export function SessionActions({ session }: { session: SessionDetail }) {
  const words = useWords('sessions');
  const client = useQueryClient();
  const call = useScopedCall();
  const [asked, setAsked] = useState<SessionAction | null>(null);
  const params = { session_id: session.session_id };
  const act = async (action: SessionAction, reason: string) => {
    const changed =
      action === 'approve' || action === 'deny'
        ? await call(sessions.override, { params, body: { decision: action, reason } })
        : await call(sessions[action], { params, body: { reason } });
    for (const key of ['sessions', 'session']) putRow(client, key, 'session_id', changed);
    // Their rows are people, whom the reply does not contain.
    for (const key of ['people', 'person']) void client.invalidateQueries({ queryKey: [key] });
  };
  if (session.actions.length === 0) return null;
  return (
    <div className="row">
      {session.actions.map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          {...(DESTRUCTIVE.includes(action) ? { c: 'var(--refused)' } : {})}
          onClick={() => setAsked(action)}
        >
          {words.actions[action]}
        </Button>
      ))}
      {asked !== null && (
        <ConfirmDialog
          title={words.ask[asked].title({ who: whoIs(session, words) })}
          confirm={words.actions[asked]}
          destructive={DESTRUCTIVE.includes(asked)}
          withReason
          {...(asked === 'cancel' && { leave: words.keepOpen })}
          act={(reason) => act(asked, reason)}
          onClose={() => setAsked(null)}
        >
          {words.ask[asked].text}
        </ConfirmDialog>
      )}
    </div>
  );
}
