import { Button } from '@mantine/core';
import { Icon } from '../icons.tsx';
import { useCommonWords } from '../words.tsx';

/** Above a form whose earlier text is back. */
export function RestoredNotice({ discard }: { discard: () => void }) {
  const { forms: words } = useCommonWords();
  return (
    <div className="note" data-tone="action" role="status">
      <Icon name="info" />
      <span>{words.restored}</span>
      <Button variant="subtle" size="compact-sm" onClick={discard}>
        {words.discard}
      </Button>
    </div>
  );
}
