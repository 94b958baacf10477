/** One case on one screen: both faces, the findings, both histories, and the decision. */
import { ActionIcon, Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReviewCaseDetail } from '../../../../../server/contract/console/reviews.ts';
import { useHotkeys } from '../../shared/hotkeys.tsx';
import { Icon } from '../../shared/icons.tsx';
import { useChanges } from '../../shared/client/changes.tsx';
import { useSearch } from '../../shared/lists/search.ts';
import { PageSkeleton, Unread } from '../../shared/states.tsx';
import { useWords } from '../../shared/words.tsx';
import { Age } from '../Age.tsx';
import { Assignee } from './Assignee.tsx';
import { CaseBody } from './CaseBody.tsx';
import { CaseState, runName } from '../labels.tsx';
import { UndoStrip } from '../UndoStrip.tsx';
import { useGoToCase, useQueue, useReviewCase } from '../use-reviews.ts';
import '../reviews.css';
import './faces.css';
import './findings.css';
import './sides.css';

export function Page() {
  const { caseId = '' }: { caseId?: string } = useParams({ strict: false });
  const query = useReviewCase(caseId);
  useChanges('case', 'reviews');
  return (
    <div className="case-page">
      <UndoStrip />
      {query.data !== undefined ? (
        <Case key={caseId} detail={query.data} />
      ) : (
        <Unread query={query} wait={<PageSkeleton />} />
      )}
    </div>
  );
}

function Case({ detail }: { detail: ReviewCaseDetail }) {
  const words = useWords('reviews');
  const { item } = detail;
  const title = useRef<HTMLHeadingElement>(null);
  // The next case opens automatically, so screen readers hear its name.
  useEffect(() => title.current?.focus(), []);
  return (
    <article className="case" aria-labelledby="case-title">
      <header className="case__head">
        <h1 id="case-title" ref={title} tabIndex={-1}>
          {words.caseTitle({ name: runName(item, words) })}
        </h1>
        {item.decided === null && <Age item={item} />}
        <CaseState item={item} withLease />
        {item.decided === null && item.pending === null && <Assignee item={item} />}
        <Neighbours caseId={item.case_id} />
      </header>
      <CaseBody detail={detail} />
    </article>
  );
}

/** Navigation through the queue, with the filters it was opened with. */
function Neighbours({ caseId }: { caseId: string }) {
  const words = useWords('reviews');
  const { rows } = useQueue();
  const goTo = useGoToCase();
  const search = useSearch();
  const place = rows.findIndex(({ case_id }) => case_id === caseId);
  const previous = place > 0 ? rows[place - 1]?.case_id : undefined;
  const next = rows[place + 1]?.case_id;
  const go = (id: string | undefined) => () => {
    if (id !== undefined && id !== caseId) goTo(id);
  };
  useHotkeys([
    { key: 'j', label: words.keys.next, act: go(next) },
    { key: 'k', label: words.keys.previous, act: go(previous) },
    { key: 'q', label: words.keys.queue, act: () => goTo(null) },
  ]);
  return (
    <nav className="case__neighbours" aria-label={words.backToQueue}>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={words.previous}
        disabled={previous === undefined}
        onClick={go(previous)}
      >
        <Icon name="chevron" />
      </ActionIcon>
      <span className="quiet">{place >= 0 && words.place({ index: place + 1, count: rows.length })}</span>
      <ActionIcon
        variant="default"
        size={32}
        aria-label={words.next}
        disabled={next === undefined}
        onClick={go(next)}
      >
        <Icon name="chevron" />
      </ActionIcon>
      <Button
        size="xs"
        variant="subtle"
        renderRoot={(props) => <Link to="/reviews" search={search} {...props} />}
      >
        {words.backToQueue}
      </Button>
    </nav>
  );
}
