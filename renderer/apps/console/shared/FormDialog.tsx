/** A dialog with a form. It shows a refusal, and stays open. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { ErrorLine } from './states.tsx';
import { useCommonWords } from './words.tsx';

export type FormDialogProps = {
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

/** Rendered while open; the parent removes it in `onClose`. */
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
