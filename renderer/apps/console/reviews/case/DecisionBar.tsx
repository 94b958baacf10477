/** Opinions of other reviewers, claiming the case, the three decisions with their keys, and the reason: fixed at the bottom. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { reviews } from '../../../../../server/contract/routes/console/reviews.ts';
import {
  RENEW_EVERY_MS,
  type ReviewCaseDetail,
  type ReviewItem,
} from '../../../../../server/contract/console/reviews.ts';
import { Sentence } from '../../shared/Sentence.tsx';
import { LeftSentence } from '../../shared/time/Countdown.tsx';
import { useHotkeys, useKeyHint } from '../../shared/hotkeys.tsx';
import { useMe, useScopedCall } from '../../shared/client/session.ts';
import { ErrorLine } from '../../shared/states.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../../shared/words.tsx';
import { Left } from '../Age.tsx';
import { Decide, decisionKeys } from '../Decide.tsx';
import { useReviewAction, useTakeNext } from '../use-reviews.ts';

export function DecisionBar({ detail: { item, opinions } }: { detail: ReviewCaseDetail }) {
  const words = useWords('reviews');
  const me = useMe().operator.operator_id;
  const isMine = item.held_by?.operator_id === me;
  useLease(item.case_id, isMine);
  return (
    <section className="decision" aria-label={words.decide}>
      <Opinions opinions={opinions} />
      {isMine ? <Decide item={item} /> : <NotMine item={item} />}
    </section>
  );
}

/** Renews the operator's lease of a case while its page is open. */
function useLease(caseId: string, isMine: boolean): void {
  const call = useScopedCall();
  const { mutate: renew } = useReviewAction(() => call(reviews.claim, { params: { case_id: caseId } }));
  useEffect(() => {
    if (!isMine) return undefined;
    const timer = setInterval(() => renew(), RENEW_EVERY_MS);
    return () => clearInterval(timer);
  }, [isMine, renew]);
}

function NotMine({ item }: { item: ReviewItem }) {
  const words = useWords('reviews');
  const { decisions } = useWords('outcomes');
  if (item.decided !== null) {
    const { decision, reason, by, at } = item.decided;
    const actor = by === 'cli' || by === 'system' ? words.actors[by] : by;
    return (
      <p className="decision__said">
        <Sentence
          words={(said, time, own) => words.decidedBy({ decision: said, name: actor, time, reason: own })}
        >
          <strong>{decisions[decision]}</strong>
          <Time at={at} />
          {reason}
        </Sentence>
      </p>
    );
  }
  if (item.pending !== null) {
    const { by_name: name, decision, effective_at: effectiveAt } = item.pending;
    return (
      <p className="decision__said">
        <LeftSentence
          words={({ left }) => words.pendingBy({ name, decision: decisions[decision], left })}
          at={effectiveAt}
        />
      </p>
    );
  }
  if (item.held_by !== null) {
    const { name, until } = item.held_by;
    return (
      <div className="decision__claim">
        <p>
          <Sentence words={(left) => words.heldUntil({ name, left })}>
            <Left at={until} />
          </Sentence>
        </p>
        <TakeNext />
      </div>
    );
  }
  return <Free item={item} />;
}

/** What reviewers decided who did not settle the case, once the reader may know. */
function Opinions({ opinions }: Pick<ReviewCaseDetail, 'opinions'>) {
  const { opinion: words } = useWords('reviews');
  const { decisions } = useWords('outcomes');
  if (opinions.length === 0) return null;
  return (
    <ul className="decision__opinions" aria-label={words.label}>
      {opinions.map(({ by: name, decision, reason, at }) => (
        <li key={at}>
          <strong>{words.given({ name, decision: decisions[decision] })}</strong>, <Time at={at} />
          {reason !== null && <span className="quiet"> {reason}</span>}
        </li>
      ))}
    </ul>
  );
}

/** A case that nobody holds: whether the operator may take it depends on the opinions given so far. */
function Free({ item }: { item: ReviewItem }) {
  const { opinion: words } = useWords('reviews');
  const { operator } = useMe();
  const [given] = item.opinion_by;
  if (item.opinion_by.length > 1 && operator.role !== 'admin') {
    return (
      <div className="decision__claim">
        <p>{words.differ}</p>
        <TakeNext />
      </div>
    );
  }
  if (item.opinion_by.length === 1 && given === operator.operator_id) return <Given caseId={item.case_id} />;
  return (
    <Claim
      caseId={item.case_id}
      said={item.opinion_by.length > 1 ? words.differ : given === undefined ? null : words.blind}
    />
  );
}

/** The operator's own opinion waits for another reviewer. */
function Given({ caseId }: { caseId: string }) {
  const { opinion: words } = useWords('reviews');
  const call = useScopedCall();
  const taking = useReviewAction(() => call(reviews.undo, { params: { case_id: caseId } }));
  return (
    <div className="decision__claim">
      <p>{words.yours}</p>
      <ErrorLine error={taking.error} />
      <Button variant="default" loading={taking.isPending} onClick={() => taking.mutate()}>
        {words.takeBack}
      </Button>
    </div>
  );
}

/** The key that takes a case; the help also lists those that decide it afterwards. */
function useClaimKeys(act: () => void): void {
  const words = useWords('reviews');
  const { keys } = useCommonWords();
  useHotkeys([
    { key: 'c', label: words.keys.claim, act },
    { key: decisionKeys(words), label: words.keys.decideLater },
    { key: keys.enter, label: words.keys.submitLater },
  ]);
}

/** The way on from a case that somebody else holds. */
function TakeNext() {
  const words = useWords('reviews');
  const taking = useTakeNext();
  const keyHint = useKeyHint();
  useClaimKeys(() => taking.mutate());
  return (
    <>
      <ErrorLine error={taking.error} />
      <Button loading={taking.isPending} rightSection={keyHint('C')} onClick={() => taking.mutate()}>
        {words.takeNext}
      </Button>
    </>
  );
}

function Claim({ caseId, said }: { caseId: string; said: string | null }) {
  const words = useWords('reviews');
  const call = useScopedCall();
  const keyHint = useKeyHint();
  const claiming = useReviewAction(() => call(reviews.claim, { params: { case_id: caseId } }));
  useClaimKeys(() => claiming.mutate());
  return (
    <div className="decision__claim">
      <p>{said ?? words.claimFirst}</p>
      <ErrorLine error={claiming.error} />
      <Button loading={claiming.isPending} rightSection={keyHint('C')} onClick={() => claiming.mutate()}>
        {words.claim}
      </Button>
    </div>
  );
}
