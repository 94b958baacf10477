import { Button, type ButtonProps, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { use, useState, type ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { isReason, Reason } from './reason.tsx';
import { type Obstacle, Submit, Form } from '../forms/Submit.tsx';
import { Close } from '../forms/unsaved.ts';
import { useForm } from '../forms/use-form.ts';
import { ErrorLine } from '../states.tsx';
import { useCommonWords } from '../words.tsx';

type ConfirmProps = {
  /** The action and its object: "Disable Ana Ruiz". */
  title: string;
  /** What is lost or stops, in one or two sentences. */
  children: ReactNode;
  /** The button's verb. */
  confirm: string;
  /** Data is lost: the button is red. */
  destructive?: boolean;
  /** Requested if it cannot be undone. */
  typeName?: string;
  withReason?: boolean;
  /** Whether the fields among the children are filled in; yes by default. */
  isReady?: boolean;
  /** Replaces "Cancel" where the action itself cancels or ends something: "Keep it open". */
  leave?: string;
  /** Says what happens meanwhile, if the action takes seconds. */
  progress?: string;
  /** Runs the action. A refusal is shown in the dialog, which stays open. */
  act: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

const EMPTY = { reason: '', typed: '' };

/** Rendered while open; the parent removes it in `onClose`. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, children, confirm, destructive = false, typeName, withReason = false, progress } = props;
  const { act, leave, onClose, isReady = true } = props;
  const words = useCommonWords();
  const form = useForm({ name: `confirm ${title}`, read: EMPTY });
  const { reason, typed } = form.values;
  const acting = useMutation({
    mutationFn: () => act(reason.trim()),
    onSuccess() {
      form.saved();
      onClose();
    },
  });
  const ready =
    isReady && (!withReason || isReason(reason)) && (typeName === undefined || typed.trim() === typeName);

  return (
    <FormDialog
      title={title}
      submit={confirm}
      isReady={ready}
      obstacle={withReason && !isReason(reason) ? 'needsReason' : 'needsName'}
      sending={{ ...acting, place: form.place }}
      destructive={destructive}
      {...(leave !== undefined && { leave })}
      onClose={onClose}
    >
      <div>{children}</div>
      {progress !== undefined && (
        <p className="quiet" role="status">
          {acting.isPending ? progress : '\u00a0'}
        </p>
      )}
      {withReason && <Reason data-autofocus value={reason} onChange={(text) => form.set({ reason: text })} />}
      {typeName !== undefined && (
        <TextInput
          data-autofocus={!withReason || undefined}
          label={words.confirm.typeName({ name: typeName })}
          autoComplete="off"
          {...form.text('typed')}
        />
      )}
    </FormDialog>
  );
}

type ConfirmButtonProps = Omit<ConfirmProps, 'onClose'> & {
  /** How it looks. Its words are those of the confirmation, unless it has its own. */
  button?: ButtonProps & { 'aria-label'?: string };
};

/** A button that asks before it acts. Not inside a form, which would be sent together with the dialog's. */
export function ConfirmButton({ button, ...dialog }: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)} {...button}>
        {button?.children ?? dialog.confirm}
      </Button>
      {isAsked && <ConfirmDialog {...dialog} onClose={() => setAsked(false)} />}
    </>
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
  /** Why they can't. */
  obstacle?: Obstacle;
  /** The state of sending, as a mutation without variables. */
  sending: {
    mutate: () => void;
    isPending: boolean;
    error: unknown;
    notes?: ReactNode;
    place?: symbol | undefined;
  };
  /** Replaces "Cancel" if there is nothing left to cancel. */
  leave?: string;
  onClose: () => void;
};

/** A dialog with a form. It shows a refusal, and stays open. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submit, destructive = false, isReady, sending, leave, onClose } = props;
  const { obstacle = 'incomplete' } = props;
  const { actions } = useCommonWords();
  return (
    <Dialog onClose={onClose} title={title} form={sending.place}>
      <Form ref={focusFirstField} onSubmit={() => isReady && sending.mutate()}>
        {children}
        {sending.notes}
        <ErrorLine error={sending.error} />
        <div className="dialog-actions">
          <CloseButton>{leave ?? actions.cancel}</CloseButton>
          <Submit
            color={destructive ? 'refused' : 'action'}
            obstacle={isReady ? null : obstacle}
            loading={sending.isPending}
          >
            {submit}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}

/** The dialog would begin at its close button. Its focus trap looks for the mark once all of it is there. */
function focusFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector('[data-autofocus]') !== null) return;
  const field = form.querySelector(':is(input, select, textarea):not(:disabled)');
  field?.setAttribute('data-autofocus', 'true');
}

/** Leaves the dialog or drawer around it, and asks first if something would be lost. */
export function CloseButton({ children }: { children: ReactNode }) {
  const close = use(Close);
  return (
    <Button variant="default" onClick={() => close?.()}>
      {children}
    </Button>
  );
}
