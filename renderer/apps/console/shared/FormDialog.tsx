/** A dialog that asks for something and sends it. A refusal is shown in it, and it stays open. */
import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorLine } from './states.tsx';
import { useCommonWords } from './words.tsx';

export type FormDialogProps = {
  title: string;
  /** The fields. */
  children: ReactNode;
  /** The verb of the button that sends. */
  submit: string;
  /** Something is lost: the button is red. */
  destructive?: boolean;
  /** Whether what is in the fields can be sent. */
  isReady: boolean;
  /** What sending came to, as a mutation without variables tells it. */
  sending: { mutate: () => void; isPending: boolean; error: unknown };
  /** Instead of "Cancel", where nothing is left to cancel. */
  leave?: string;
  onClose: () => void;
};

/** Rendered while it is asked; the one who renders it takes it away in `onClose`. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submit, destructive = false, isReady, sending, leave, onClose } = props;
  const { actions } = useCommonWords();
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': actions.close }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) sending.mutate();
        }}
      >
        {children}
        <ErrorLine error={sending.error} />
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {leave ?? actions.cancel}
          </Button>
          <Button
            type="submit"
            color={destructive ? 'refused' : 'action'}
            disabled={!isReady}
            loading={sending.isPending}
          >
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
