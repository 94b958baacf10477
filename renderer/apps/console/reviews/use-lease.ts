import { useEffect } from 'react';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import { RENEW_EVERY_MS } from '../../../../server/contract/console/reviews.ts';
import { useScopedCall } from '../shared/scoped.ts';
import { useReviewAction } from './use-reviews.ts';

/** Renews the operator's lease on a case while its page is open. */
export function useLease(caseId: string, isMine: boolean): void {
  const call = useScopedCall();
  const { mutate: renew } = useReviewAction(() => call(reviews.claim, { params: { case_id: caseId } }));
  useEffect(() => {
    if (!isMine) return undefined;
    const timer = setInterval(() => renew(), RENEW_EVERY_MS);
    return () => clearInterval(timer);
  }, [isMine, renew]);
}
