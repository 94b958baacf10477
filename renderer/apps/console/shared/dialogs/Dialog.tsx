import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Around, Close, useGuardedClose } from '../forms/unsaved.ts';
import { useCommonWords } from '../words.tsx';

/** A dialog. Rendered while open; the parent removes it in `onClose`. Asks before it loses something that is not saved. */
export function Dialog({
  children,
  form,
  onClose,
  ...props
}: Omit<ModalProps, 'opened' | 'form'> & {
  /** The `place` of the form whose fields it shows. */
  form?: symbol | undefined;
}) {
  const { actions } = useCommonWords();
  const { close, within, isAsking } = useGuardedClose(onClose, form);
  useFocusReturn();
  return (
    <Modal
      opened
      centered
      closeButtonProps={{ 'aria-label': actions.close }}
      closeOnEscape={!isAsking}
      onClose={close}
      {...props}
    >
      <Around value={within}>
        <Close value={close}>{children}</Close>
      </Around>
    </Modal>
  );
}

/**
 * Returns the keyboard's focus to where it was before the dialog; to the details below it, or the page, if that element
 * is gone or nothing had it.
 */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // The dialog is still in the document, and has the focus, until the change that removes it is complete.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const isUsable =
          before instanceof HTMLElement && before.isConnected && !before.matches('body, :disabled');
        const below =
          document.querySelector<HTMLElement>('[role="dialog"]') ?? document.getElementById('content');
        (isUsable ? before : below)?.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
