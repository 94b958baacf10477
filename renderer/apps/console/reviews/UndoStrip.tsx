/** The operator's own pending decisions, with buttons that undo or apply the newest. */
import { Button } from '@mantine/core';
import { Sentence } from '../shared/Sentence.tsx';
import { Countdown } from '../shared/time/Countdown.tsx';
import { useHotkeys, useKeyHint } from '../shared/hotkeys.tsx';
import { Icon } from '../shared/icons.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { runName } from './labels.tsx';
import { useApplyNow, useUndo, useUndoable } from './use-reviews.ts';

export function UndoStrip() {
  const words = useWords('reviews');
  const { decisions } = useWords('outcomes');
  const items = useUndoable().data?.items ?? [];
  const undoing = useUndo();
  const keyHint = useKeyHint();
  const applying = useApplyNow();
  const [latest] = items;
  const pending = latest?.pending ?? null;
  // Cases that were decided together take effect at the same moment.
  const together = items.filter((item) => item.pending?.effective_at === pending?.effective_at);
  const undo = (): void => undoing.mutate(together.map(({ case_id }) => case_id));
  useHotkeys(latest === undefined ? [] : [{ key: 'u', label: words.keys.undo, act: undo }]);
  return (
    <section className="undo" aria-label={words.undo.label}>
      <ErrorLine error={undoing.error ?? applying.error} />
      {latest !== undefined && pending !== null && (
        <div className="note undo__note" data-tone="action">
          <Icon name="clock" />
          <p className="undo__text" role="status">
            <Sentence
              words={(left) => {
                const decision = decisions[pending.decision];
                return together.length > 1
                  ? words.undo.together({ count: together.length, decision, left })
                  : words.undo.yours({ name: runName(latest, words), decision, left });
              }}
            >
              <Countdown at={pending.effective_at} />
            </Sentence>{' '}
            {items.length > together.length && words.undo.more({ count: items.length - together.length })}
          </p>
          <Button
            size="xs"
            variant="default"
            loading={undoing.isPending}
            rightSection={keyHint('U')}
            onClick={undo}
          >
            {words.undo.button}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={applying.isPending}
            onClick={() => applying.mutate(together.map(({ case_id }) => case_id))}
          >
            {words.undo.apply}
          </Button>
        </div>
      )}
    </section>
  );
}
