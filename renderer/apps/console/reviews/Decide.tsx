import { Button, Kbd, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import {
  REVIEW_DECISIONS,
  type ReviewDecisionName,
  type ReviewItem,
} from '../../../../server/contract/console/reviews.ts';
import { isReason } from '../shared/ConfirmDialog.tsx';
import { useHotkeys } from '../shared/hotkeys.tsx';
import { useScopedCall } from '../shared/scoped.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { useDecide, useReviewAction } from './use-reviews.ts';

/** The server's bound of a reason (`ReasonText`). */
const MAX_REASON_CHARS = 500;

/** For the reviewer who has the case: a key, a reason, Enter, and the next case opens. */
export function Decide({ item }: { item: ReviewItem }) {
  const words = useWords('reviews');
  const call = useScopedCall();
  const [decision, setDecision] = useState<ReviewDecisionName | null>(null);
  const [reason, setReason] = useState('');
  const reasonInput = useRef<HTMLInputElement>(null);
  const deciding = useDecide(item.case_id);
  const releasing = useReviewAction(() => call(reviews.release, { params: { case_id: item.case_id } }));
  const choose = (chosen: ReviewDecisionName): void => {
    setDecision(chosen);
    reasonInput.current?.focus();
  };
  useHotkeys([
    ...REVIEW_DECISIONS.map((name, place) => ({
      key: String(place + 1),
      label: `${words.keys.decide}: ${words.decisions[name]}`,
      act: () => choose(name),
    })),
    { key: 'r', label: words.keys.release, act: () => releasing.mutate() },
  ]);
  const isReady = decision !== null && isReason(reason);
  return (
    <form
      className="decide"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !deciding.isPending) deciding.mutate({ decision, reason: reason.trim() });
      }}
    >
      <ErrorLine error={deciding.error ?? releasing.error} />
      <div className="decide__choices" role="group" aria-label={words.decide}>
        {REVIEW_DECISIONS.map((name, place) => (
          <Button
            key={name}
            variant={decision === name ? 'filled' : 'default'}
            color={name === 'same_person' ? 'refused' : 'action'}
            aria-pressed={decision === name}
            leftSection={<Kbd size="xs">{place + 1}</Kbd>}
            onClick={() => choose(name)}
          >
            {words.decisions[name]}
          </Button>
        ))}
      </div>
      <div className="decide__reason">
        <TextInput
          ref={reasonInput}
          className="decide__text"
          aria-label={words.reasonFor}
          placeholder={`${words.reasonFor}. ${words.reasonHelp}`}
          list="decide-reasons"
          autoComplete="off"
          maxLength={MAX_REASON_CHARS}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <datalist id="decide-reasons">
          {decision !== null && words.reasons[decision].map((text) => <option key={text} value={text} />)}
        </datalist>
        <Button type="submit" disabled={!isReady} loading={deciding.isPending}>
          {words.submitNext}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => releasing.mutate()}>
          {words.release}
        </Button>
      </div>
    </form>
  );
}
