/** Asks before the page loses something that is not saved: at links and "back", at closing or reloading the tab, and at closing a dialog. */
import { useBlocker } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../../http/load-part.ts';
import type { Search } from '../shared/lists/search.ts';
import { answer, discardUnsaved, hasUnsaved, useQuestion } from '../shared/forms/unsaved.ts';

const LeaveQuestion = lazyPart(() => import('../shared/forms/LeaveQuestion.tsx'), 'LeaveQuestion');

/** Parts of the address whose change takes forms off the page; filters only change a list. */
const PLACES = ['company', 'partition', 'open', 'section'] as const;

type Place = { pathname: string; search: unknown };

function leaves({ pathname, search }: Place, next: Place): boolean {
  const [from, to] = [search as Search, next.search as Search];
  return pathname !== next.pathname || PLACES.some((name) => from[name] !== to[name]);
}

const shouldBlockFn = ({ current, next }: { current: Place; next: Place }): boolean =>
  leaves(current, next) && hasUnsaved();
const enableBeforeUnload = (): boolean => hasUnsaved();

export function UnsavedGuard() {
  const question = useQuestion();
  const blocker = useBlocker({ shouldBlockFn, enableBeforeUnload, withResolver: true });
  if (blocker.status === 'blocked') {
    return (
      <Suspense>
        <LeaveQuestion
          answer={(isDiscarded) => {
            if (!isDiscarded) {
              blocker.reset();
              return;
            }
            discardUnsaved();
            blocker.proceed();
          }}
        />
      </Suspense>
    );
  }
  return question === null ? null : (
    <Suspense>
      <LeaveQuestion answer={answer} />
    </Suspense>
  );
}
