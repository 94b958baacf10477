/** The selected cases of the queue, decided with one reason. */
import { Button } from '@mantine/core';
import { type ReviewItem } from '../../../../server/contract/console/reviews.ts';
import { useWords } from '../shared/words.tsx';
import { DecisionForm } from './Decide.tsx';
import { useDecideTogether } from './use-reviews.ts';

export function DecideTogether({ items, onClear }: { items: readonly ReviewItem[]; onClear: () => void }) {
  const words = useWords('reviews');
  const deciding = useDecideTogether(onClear);
  const findings = new Set(items.map(({ reasons }) => reasons.toSorted().join()));
  return (
    <section className="decision" aria-label={words.decide}>
      <p className="decision__said" role="status">
        <strong>{words.together.selected({ count: items.length })}</strong>{' '}
        {findings.size > 1 && words.together.unlike}
      </p>
      {findings.size > 1 ? (
        <Button variant="default" onClick={onClear}>
          {words.together.clear}
        </Button>
      ) : (
        <DecisionForm
          error={deciding.error}
          isPending={deciding.isPending}
          submit={words.together.submit({ count: items.length })}
          onSubmit={(decision) =>
            deciding.mutate({ ...decision, case_ids: items.map(({ case_id }) => case_id) })
          }
        >
          <Button variant="subtle" color="gray" onClick={onClear}>
            {words.together.clear}
          </Button>
        </DecisionForm>
      )}
    </section>
  );
}
