/** The known facts and the history of each side. Values are rendered as text, never as markup. */
import type {
  PastRun,
  ReviewCaseDetail,
  ReviewSuspect,
} from '../../../../../server/contract/console/reviews.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Fact, Facts, TimeFact } from '../../shared/lists/DetailDrawer.tsx';
import { useSearch } from '../../shared/lists/search.ts';
import { scopeSearch } from '../../shared/client/session.ts';
import { Status, Note } from '../../shared/states.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { useReason, useWords } from '../../shared/words.tsx';
import { useVerificationName } from '../../verifications/names.ts';

type Metadata = ReviewCaseDetail['metadata'];

export function RunSide({ detail }: { detail: ReviewCaseDetail }) {
  const words = useWords('reviews');
  const { facts } = words;
  const { devices, captures } = useWords('outcomes');
  const { item, device, metadata } = detail;
  const nameOf = useVerificationName();
  const search = useSearch();
  return (
    <section className="side" aria-label={words.sides.run}>
      <SideHead title={words.sides.run} page="/sessions" open={item.session_id} link={words.openSession} />
      <Facts>
        {item.external_id !== null && <Fact term={facts.account}>{item.external_id}</Fact>}
        {item.identifier !== null && <Fact term={facts.identifier}>{item.identifier}</Fact>}
      </Facts>
      {item.identifier !== null && <History title={words.history.run} runs={detail.history} />}
      <Facts>
        <MetadataFacts metadata={metadata} />
        {detail.event !== null && (
          <Fact term={facts.event}>
            <Link
              to="/events"
              search={{ ...scopeSearch(search), open: detail.event.event_id }}
              className="text-link"
            >
              {detail.event.name}
            </Link>
          </Fact>
        )}
        {detail.event === null && item.group !== null && <Fact term={facts.group}>{item.group}</Fact>}
      </Facts>
      <MoreFacts>
        <TimeFact term={facts.started} at={detail.started_at} />
        {device !== null && <Fact term={facts.device}>{devices[device as keyof typeof devices]}</Fact>}
        {detail.capture_signed !== null && (
          <Fact term={facts.capture}>{detail.capture_signed ? captures.signed : captures.unsigned}</Fact>
        )}
        <Fact term={facts.verification}>{nameOf(detail.verification)}</Fact>
        {detail.score !== null && <Fact term={facts.score}>{detail.score}</Fact>}
      </MoreFacts>
    </section>
  );
}

export function MatchSide({ suspect }: { suspect: ReviewSuspect | null }) {
  const words = useWords('reviews');
  const { facts } = words;
  return (
    <section className="side" aria-label={words.sides.match}>
      {suspect === null || suspect.erased ? (
        <h2>{words.sides.match}</h2>
      ) : (
        <SideHead title={words.sides.match} page="/people" open={suspect.person_id} link={words.openPerson} />
      )}
      {suspect === null || suspect.erased ? (
        <p className="quiet">{suspect === null ? words.noPicture.nobody : words.noPicture.erased}</p>
      ) : (
        <>
          <Facts>
            {suspect.external_ids.length > 0 && (
              <Fact term={facts.account}>{suspect.external_ids.join(', ')}</Fact>
            )}
            {suspect.identifiers.length > 0 && (
              <Fact term={facts.identifier}>{suspect.identifiers.join(', ')}</Fact>
            )}
          </Facts>
          {suspect.look_alikes.length > 0 && (
            <Note>{words.lookAlikes({ names: suspect.look_alikes.join(', ') })}</Note>
          )}
          <History title={words.history.match} runs={suspect.history} />
          <Facts>
            <MetadataFacts metadata={suspect.metadata} />
          </Facts>
          <MoreFacts>
            <TimeFact term={facts.knownSince} at={suspect.known_since} />
            <TimeFact term={facts.lastSeen} at={suspect.last_seen_at} />
            {suspect.told_apart_from > 0 && (
              <Fact term={facts.toldApart}>{facts.people({ count: suspect.told_apart_from })}</Fact>
            )}
          </MoreFacts>
        </>
      )}
    </section>
  );
}

function MoreFacts({ children }: { children: ReactNode }) {
  const { facts } = useWords('reviews');
  return (
    <details className="side__more">
      <summary>{facts.more}</summary>
      <Facts>{children}</Facts>
    </details>
  );
}

/** The side's title, and a link to the session or the person. */
function SideHead({
  title,
  page,
  open,
  link,
}: {
  title: string;
  page: '/sessions' | '/people';
  open: string;
  link: string;
}) {
  const search = scopeSearch(useSearch());
  return (
    <div className="side__head">
      <h2>{title}</h2>
      <Link to={page} search={{ ...search, open }} className="side__link">
        {link}
      </Link>
    </div>
  );
}

function MetadataFacts({ metadata }: { metadata: Metadata }) {
  return Object.entries(metadata).map(([name, value]) => (
    <Fact key={name} term={name}>
      {String(value)}
    </Fact>
  ));
}

function History({ title, runs }: { title: string; runs: readonly PastRun[] }) {
  const words = useWords('reviews');
  const reasonOf = useReason();
  return (
    <>
      <h3>{title}</h3>
      {runs.length === 0 && <p className="quiet">{words.history.none}</p>}
      <ul className="past-runs">
        {runs.map((run) => (
          <li key={run.pass_id}>
            <Verdict run={run} /> <Time at={run.settled_at} />
            <span className="quiet">
              {[run.event_name ?? run.group, run.external_id, ...run.reasons.map(reasonOf)]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Verdict({ run }: { run: PastRun }) {
  const { history } = useWords('reviews');
  const { names } = useWords('outcomes');
  const locked = run.locked ? ` (${history.locked})` : '';
  if (run.status === 'denied') {
    return <Status tone="refused">{names.denied + locked}</Status>;
  }
  const isFlagged = run.reasons.length > 0;
  return (
    <Status tone={isFlagged ? 'look' : 'passed'}>
      {(isFlagged ? names.flagged : names.approved) + locked}
    </Status>
  );
}
