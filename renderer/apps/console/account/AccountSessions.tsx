import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { call, reading } from '../shared/client/api.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { endSession } from '../shared/client/session.ts';
import { ErrorLine, Status, Unread } from '../shared/states.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';

export const ownSessionsQuery = reading(['own-sessions'], session.list);

export function AccountSessions() {
  const words = useWords('account');
  const client = useQueryClient();
  const sessions = useQuery(ownSessionsQuery);
  const ending = useMutation({
    mutationFn: (id: string) => call(session.end, { params: { session_id: id } }),
    onSuccess: (left) => client.setQueryData(ownSessionsQuery.queryKey, left),
  });
  return (
    <section className="panel stack" aria-labelledby="own-sessions">
      <div>
        <h2 id="own-sessions">{words.sessionsTitle}</h2>
        <p className="quiet">{words.sessionsText}</p>
      </div>
      <Unread query={sessions} />
      <ul className="session-list">
        {sessions.data?.items.map(({ session_id, current, device, address, last_seen_at }) => (
          <li key={session_id} className="session-list__row">
            <div>
              <p>
                {device} <span className="quiet">{address}</span>
              </p>
              <p className="quiet">
                <TimeSentence words={words.lastSeen} at={last_seen_at} />
              </p>
            </div>
            {current ? (
              <Status tone="action" icon="check">
                {words.thisOne}
              </Status>
            ) : (
              <Button
                variant="default"
                size="xs"
                aria-label={words.endLabel({ device })}
                onClick={() => ending.mutate(session_id)}
              >
                {words.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ErrorLine error={ending.error} />
      <div>
        <ConfirmButton
          title={words.everywhere}
          confirm={words.everywhere}
          destructive
          act={async () => {
            await call(session.signOutEverywhere);
            endSession(client);
          }}
        >
          {words.everywhereText}
        </ConfirmButton>
      </div>
    </section>
  );
}
