import { call } from '../shared/client/api.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { people } from '../../../../server/contract/routes/console/people.ts';
import { SessionStatus } from '../sessions/labels.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useScopeFilter, scopeSearch } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { ErrorLine } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useReason, useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';

/** A person's passes, newest first, with links to their sessions. */
export function PersonHistory({ personId }: { personId: string }) {
  const words = useWords('people');
  const reasonOf = useReason();
  const nameOf = useVerificationName();
  const { actions } = useCommonWords();
  const scope = useScopeFilter();
  const search = scopeSearch(useSearch());
  const list = useCursorList(
    cursorList(['person-history', personId], scope, (input) =>
      call(people.history, { params: { person_id: personId }, ...input }),
    ),
  );
  return (
    <section>
      <h2 className="drawer-heading">{words.history}</h2>
      <ErrorLine error={list.error} />
      <ol className="timeline">
        {list.rows.map((item) => (
          <li key={item.pass_id} className="timeline__item">
            <p className="timeline__head">
              {item.session_id === null ? (
                <SessionStatus result={item} />
              ) : (
                <Link to="/sessions" search={{ ...search, open: item.session_id }} className="text-link">
                  <SessionStatus result={item} />
                </Link>
              )}
              <Time at={item.settled_at} exact />
            </p>
            <p>
              {[nameOf(item.verification), item.group, item.external_id]
                .filter((part) => part !== null)
                .join(' · ')}
            </p>
            {item.let_in === null && item.reasons.length > 0 && (
              <p className="quiet">{item.reasons.map(reasonOf).join(' · ')}</p>
            )}
          </li>
        ))}
      </ol>
      {list.loadMore !== undefined && (
        <Button variant="default" size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
          {actions.more}
        </Button>
      )}
    </section>
  );
}
