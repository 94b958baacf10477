import { Button, Modal } from '@mantine/core';
import { useCommonWords } from '../words.tsx';

/** Asked before something that is not saved is lost. Escape and a click outside keep it. */
export function LeaveQuestion({ answer }: { answer: (isDiscarded: boolean) => void }) {
  const { forms: words, actions } = useCommonWords();
  return (
    <Modal
      opened
      centered
      title={words.discardTitle}
      closeButtonProps={{ 'aria-label': actions.close }}
      onClose={() => answer(false)}
    >
      <div className="stack">
        <p>{words.discardText}</p>
        <div className="dialog-actions">
          <Button variant="default" color="refused" onClick={() => answer(true)}>
            {words.discard}
          </Button>
          <Button data-autofocus onClick={() => answer(false)}>
            {words.keepEditing}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
