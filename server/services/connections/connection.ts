import type { ConnectUser } from '../../store/connections/connect-users.ts';

/** Whether an approved run of the person's stands: not since revoked or denied, and the person not since erased. */
export const hasConnection = ({
  connection,
  personId,
}: Pick<ConnectUser, 'connection' | 'personId'>): boolean => connection === 'connected' && personId !== null;
