import type { ConnectUser } from '../../store/connections/connect-users.ts';

/** Whether an approved run of the person is still valid: not revoked or denied since, and the person not erased. */
export const hasConnection = ({
  connection,
  personId,
}: Pick<ConnectUser, 'connection' | 'personId'>): boolean => connection === 'connected' && personId !== null;
