import { Modal, type ModalProps, Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useCommonWords } from './words.tsx';
import { ErrorLine } from './states.tsx';

/** A dialog. Rendered while open; the parent removes it in `onClose`. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { actions } = useCommonWords();
  useFocusReturn();
  return <Modal opened centered closeButtonProps={{ 'aria-label': actions.close }} {...props} />;
}

/** Returns the keyboard's focus to where it was before the dialog, or to the page if that element is gone. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog is still in the document, and has the focus, until the change that removes it is complete.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isUsable = before instanceof HTMLElement && before.isConnected && !before.matches(':disabled');
        (isUsable ? before : document.getElementById('content'))?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}

type FormDialogProps = {
  title: string;
  /** The fields. */
  children: ReactNode;
  /** The verb of the submit button. */
  submit: string;
  /** Data is lost: the button is red. */
  destructive?: boolean;
  /** Whether the values can be sent. */
  isReady: boolean;
  /** The state of sending, as a mutation without variables. */
  sending: { mutate: () => void; isPending: boolean; error: unknown };
  /** Replaces "Cancel" if there is nothing left to cancel. */
  leave?: string;
  onClose: () => void;
};

/** A dialog with a form. It shows a refusal, and stays open. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submit, destructive = false, isReady, sending, leave, onClose } = props;
  const { actions } = useCommonWords();
  return (
    <Dialog onClose={onClose} title={title}>
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
    </Dialog>
  );
}
