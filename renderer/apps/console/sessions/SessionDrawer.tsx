import { useQuery } from '@tanstack/react-query';
import { sessions } from '../../../../server/contract/routes/console/sessions.ts';
import { reading } from '../shared/client/api.ts';
import { DetailDrawer } from '../shared/lists/DetailDrawer.tsx';
import { useScopeFilter } from '../shared/client/session.ts';
import { Unread } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { whoIs } from './labels.tsx';
import { PassFacts } from './PassFacts.tsx';
import { SessionActions } from './SessionActions.tsx';
import { SessionFacts } from './SessionFacts.tsx';
import { Timeline } from './Timeline.tsx';

/** One session, by ID, even if it is not in the list. */
export function SessionDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const words = useWords('sessions');
  const common = useCommonWords();
  const scope = useScopeFilter();
  const query = useQuery({
    ...reading(['session', scope, id], sessions.read, { params: { session_id: id ?? '' }, query: scope }),
    enabled: id !== undefined,
  });
  const session = query.data;
  const title = session === undefined ? words.sessionId : whoIs(session, words);
  return (
    <DetailDrawer title={title} opened={id !== undefined} onClose={onClose}>
      {session !== undefined && (
        <div className="stack">
          <SessionActions session={session} />
          <SessionFacts session={session} />
          {session.pass !== null && <PassFacts pass={session.pass} caseId={session.case_id} />}
          <section aria-labelledby="session-timeline">
            <h2 id="session-timeline" className="drawer-heading">
              {words.timelineHeading}
            </h2>
            <Timeline items={session.timeline} />
          </section>
        </div>
      )}
      {query.isPending && <p className="quiet">{common.table.loading}</p>}
      <Unread query={query} />
    </DetailDrawer>
  );
}
