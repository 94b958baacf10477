/** One's own decisions within their minute: what was decided, how long it can be undone, and the way to do so. */
import { Button, Kbd } from '@mantine/core';
import { Countdown } from '../shared/Countdown.tsx';
import { useHotkeys } from '../shared/hotkeys.tsx';
import { Icon } from '../shared/icons.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { runName } from './labels.ts';
import { useUndo, useUndoable } from './use-reviews.ts';

export function UndoStrip() {
  const words = useWords('reviews');
  const items = useUndoable().data?.items ?? [];
  const undoing = useUndo();
  const [latest] = items;
  const pending = latest?.pending ?? null;
  useHotkeys(
    latest === undefined
      ? []
      : [{ key: 'u', label: words.keys.undo, act: () => undoing.mutate(latest.case_id) }],
  );
  return (
    <section className="undo" aria-label={words.undo.label}>
      <ErrorLine error={undoing.error} />
      {latest !== undefined && pending !== null && (
        <div className="note undo__note" data-tone="action">
          <Icon name="clock" />
          <p className="undo__text" role="status">
            {words.undo.yours({ name: runName(latest, words), decision: words.decided[pending.decision] })}{' '}
            <Countdown at={pending.effective_at} />{' '}
            {items.length > 1 && words.undo.more({ count: items.length - 1 })}
          </p>
          <Button
            size="xs"
            variant="default"
            loading={undoing.isPending}
            rightSection={<Kbd size="xs">U</Kbd>}
            onClick={() => undoing.mutate(latest.case_id)}
          >
            {words.undo.button}
          </Button>
        </div>
      )}
    </section>
  );
}
