import { useEffect } from 'react';
import { RENEW_EVERY_MS } from '../../../../server/contract/console/reviews.ts';
import { useScopedSend } from '../shared/scoped.ts';
import { useReviewAction } from './use-reviews.ts';

/** Keeps a case that one holds for as long as its page is open. */
export function useLease(caseId: string, isMine: boolean): void {
  const send = useScopedSend();
  const { mutate: renew } = useReviewAction(() => send('POST', `/reviews/${caseId}/claim`));
  useEffect(() => {
    if (!isMine) return undefined;
    const timer = setInterval(() => renew(), RENEW_EVERY_MS);
    return () => clearInterval(timer);
  }, [isMine, renew]);
}
