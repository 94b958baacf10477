import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { isSomeoneHere } from '../shared/activity.ts';
import { call } from '../shared/api.ts';
import { meQuery } from '../shared/session.ts';

const ASK_EVERY_MS = 60_000;

/**
 * Who reads or types for long calls nothing; the server would take them for gone. While someone is here it is told
 * so; once they are not, asking finds out that the session has fallen idle and the page closes itself.
 */
export function KeepAlive() {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (isSomeoneHere(ASK_EVERY_MS)) void call(session.stay).catch(() => undefined);
      else void client.invalidateQueries({ queryKey: meQuery.queryKey });
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [client]);
  return null;
}
