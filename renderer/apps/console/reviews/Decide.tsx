import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import {
  REVIEW_DECISIONS,
  type ReviewDecide,
  type ReviewDecisionName,
  type ReviewItem,
  type ReviewRow,
} from '../../../../server/contract/console/reviews.ts';
import type { ReviewsMessages } from '../../../../locales/types/reviews.ts';
import { isReason, isTooLong, ReasonCount } from '../shared/dialogs/reason.tsx';
import { type Hotkey, useHotkeys, useKeyHint } from '../shared/hotkeys.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { Pair } from './Thumb.tsx';
import { useDecide, useReviewAction, useDecideTogether } from './use-reviews.ts';
import './decision.css';
import { Submit, Form } from '../shared/forms/Submit.tsx';

/** For the reviewer who holds the case: a key for the decision, one for the reason, Enter, and the next case opens. */
export function Decide({ item }: { item: ReviewItem }) {
  const words = useWords('reviews');
  const call = useScopedCall();
  const deciding = useDecide(item.case_id);
  const releasing = useReviewAction(() => call(reviews.release, { params: { case_id: item.case_id } }));
  useHotkeys([{ key: 'r', label: words.keys.release, act: () => releasing.mutate() }]);
  return (
    <DecisionForm
      error={deciding.error ?? releasing.error}
      isPending={deciding.isPending}
      submit={words.submitNext}
      second={item.opinion_by.length === 0 ? words.opinion.ask : null}
      name={`decision ${item.case_id}`}
      onSubmit={(decision, saved) => deciding.mutate({ ...decision, saved })}
    >
      <Button variant="subtle" color="gray" onClick={() => releasing.mutate()}>
        {words.release}
      </Button>
    </DecisionForm>
  );
}

/** The keys after those of the decisions. */
const FIRST_REASON_KEY = REVIEW_DECISIONS.length + 1;

/** The keys of the decisions and of their reasons, for who has not taken the case yet. */
export const decisionKeys = ({ reasons }: ReviewsMessages): string =>
  `1–${REVIEW_DECISIONS.length + Math.max(...Object.values(reasons).map(({ length }) => length))}`;

const EMPTY = { details: '' };

type Decision = Pick<ReviewDecide, 'decision' | 'reason' | 'second_opinion'>;
type FormProps = {
  /** Of the draft of its words. */
  name: string;
  error: unknown;
  isPending: boolean;
  /** The button's words. */
  submit: string;
  /** Those of the button that asks for a second opinion, where one can be asked for. */
  second?: string | null;
  /** @param saved to be called before anything leaves the form */
  onSubmit: (decision: Decision, saved: () => void) => void;
  /** Further buttons. */
  children: ReactNode;
};

/** A decision and its reason: one of the suggestions, words of one's own, or both. */
function DecisionForm({ name, error, isPending, submit, second = null, onSubmit, children }: FormProps) {
  const words = useWords('reviews');
  const { keys } = useCommonWords();
  const keyHint = useKeyHint();
  const [decision, setDecision] = useState<ReviewDecisionName | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const draft = useForm({ name, read: EMPTY });
  const { details } = draft.values;
  const form = useRef<HTMLFormElement>(null);
  const detailsInput = useRef<HTMLInputElement>(null);
  const suggestions = decision === null ? [] : words.reasons[decision];
  const reason = [chosen, details.trim()].filter((part) => part !== null && part !== '').join(': ');
  const isReady = decision !== null && isReason(reason);
  const choose = (name: ReviewDecisionName): void => {
    setDecision(name);
    setChosen(null);
  };
  // Enter on a suggestion submits the form, so the keyboard's focus goes there.
  useEffect(() => focusRadio(form.current, chosen), [decision, chosen]);
  const askForSecond = (): void => {
    if (isReady && !isPending) onSubmit({ decision, reason, second_opinion: true }, draft.saved);
  };
  useHotkeys([
    ...REVIEW_DECISIONS.map((name, place) => ({
      key: String(place + 1),
      label: words.keys.decide({ decision: words.decisions[name] }),
      act: () => choose(name),
    })),
    ...suggestions.map((text, place): Hotkey => ({
      key: String(FIRST_REASON_KEY + place),
      label: `${words.keys.reason}: ${text}`,
      act: () => setChosen(text),
    })),
    { key: keys.enter, label: submit },
    ...(second === null ? [] : [{ key: 's', label: second, act: askForSecond }]),
    { key: 't', label: words.keys.details, act: () => detailsInput.current?.focus() },
  ]);
  return (
    <Form
      ref={form}
      className="decide"
      onSubmit={() => isReady && !isPending && onSubmit({ decision, reason }, draft.saved)}
    >
      <ErrorLine error={error} />
      <div className="decide__choices" role="group" aria-label={words.decide}>
        {REVIEW_DECISIONS.map((name, place) => (
          <Button
            key={name}
            variant={decision === name ? 'filled' : 'default'}
            color={name === 'same_person' ? 'refused' : 'action'}
            aria-pressed={decision === name}
            leftSection={keyHint(String(place + 1))}
            onClick={() => choose(name)}
          >
            {words.decisions[name]}
          </Button>
        ))}
      </div>
      <div className="decide__reason">
        {decision === null ? (
          <p className="decide__hint quiet">{words.chooseFirst}</p>
        ) : (
          <fieldset className="decide__suggestions">
            <legend className="visually-hidden">{words.reasonFor}</legend>
            {suggestions.map((text, place) => (
              <label key={text} className="choice-chip" data-chosen={chosen === text}>
                <input
                  type="radio"
                  className="visually-hidden"
                  name="reason"
                  value={text}
                  checked={chosen === text}
                  onChange={() => setChosen(text)}
                />
                {keyHint(String(FIRST_REASON_KEY + place))}
                {text}
              </label>
            ))}
          </fieldset>
        )}
        <TextInput
          ref={detailsInput}
          className="decide__text"
          size="xs"
          aria-label={words.reasonDetails}
          placeholder={words.reasonDetails}
          autoComplete="off"
          value={details}
          onChange={({ currentTarget }) => draft.set({ details: currentTarget.value })}
          error={isTooLong(reason)}
        />
        <ReasonCount reason={reason} />
        <Submit
          obstacle={isReady || decision === null ? (isReady ? null : 'incomplete') : 'needsReason'}
          loading={isPending}
        >
          {submit}
        </Submit>
        {second !== null && (
          <Button
            variant="default"
            disabled={!isReady || isPending}
            onClick={askForSecond}
            rightSection={keyHint('S')}
          >
            {second}
          </Button>
        )}
        {children}
      </div>
    </Form>
  );
}

function focusRadio(form: HTMLFormElement | null, chosen: string | null): void {
  const radios = [...(form?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])];
  (radios.find(({ value }) => value === chosen) ?? radios[0])?.focus();
}

/** The selected cases of the queue, decided with one reason. */
export function DecideTogether({ items, onClear }: { items: readonly ReviewRow[]; onClear: () => void }) {
  const words = useWords('reviews');
  const deciding = useDecideTogether(onClear);
  const findings = new Set(items.map(({ reasons }) => reasons.toSorted().join()));
  return (
    <section className="decision" aria-label={words.decide}>
      <p className="decision__said" role="status">
        <strong>{words.together.selected({ count: items.length })}</strong>{' '}
        {findings.size > 1 && words.together.unlike}
      </p>
      <ul className="decision__pairs" tabIndex={0} aria-label={words.together.compared}>
        {items.map((item) => (
          <li key={item.case_id}>
            <Pair item={item} />
          </li>
        ))}
      </ul>
      {findings.size > 1 ? (
        <Button variant="default" onClick={onClear}>
          {words.together.clear}
        </Button>
      ) : (
        <DecisionForm
          error={deciding.error}
          isPending={deciding.isPending}
          submit={words.together.submit({ count: items.length })}
          name="decision of several"
          onSubmit={(decision, saved) => {
            deciding.mutate(
              { ...decision, case_ids: items.map(({ case_id }) => case_id) },
              { onSuccess: saved },
            );
          }}
        >
          <Button variant="subtle" color="gray" onClick={onClear}>
            {words.together.clear}
          </Button>
        </DecisionForm>
      )}
    </section>
  );
}
