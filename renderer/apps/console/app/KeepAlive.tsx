import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { isSomeoneHere } from '../shared/activity.ts';
import { call } from '../shared/api.ts';
import { meQuery } from '../shared/session.ts';

const ASK_EVERY_MS = 60_000;

/**
 * Operators who read or type for long make no calls, so the server would treat them as gone. While someone is active
 * it is told so; otherwise polling shows that the session has become idle, and the page closes itself.
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
