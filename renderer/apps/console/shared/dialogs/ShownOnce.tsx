/** Secrets that are never shown again, and the confirmation that they are stored. */
import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Copyable } from '../copy.tsx';
import { Dialog } from './Dialog.tsx';
import { Submit } from '../forms/Submit.tsx';
import { Note } from '../states.tsx';
import { tick } from '../forms/fields.ts';

type ShownOnceProps = {
  warning: string;
  /** The secrets. */
  children: ReactNode;
  confirm: string;
  /** Below the confirmation. */
  note?: ReactNode;
  done: string;
  onDone: () => void;
};

/** Continues once the reader confirms that the secrets are stored. */
export function ShownOnce({ warning, children, confirm, note, done, onDone }: ShownOnceProps) {
  const [stored, setStored] = useState(false);
  return (
    <div className="stack">
      <Note role="status">{warning}</Note>
      {children}
      <Checkbox label={confirm} {...tick(stored, setStored)} />
      {note}
      <div className="dialog-actions">
        <Submit obstacle={stored ? null : 'tick'} onClick={onDone}>
          {done}
        </Submit>
      </div>
    </div>
  );
}

/** Closed only by its button: an accidental click must not lose the secrets. */
export function ShownOnceDialog({
  title,
  size = 'md',
  ...content
}: ShownOnceProps & { title: string; size?: number | 'md' }) {
  return (
    <Dialog
      size={size}
      title={title}
      onClose={content.onDone}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <ShownOnce {...content} />
    </Dialog>
  );
}

/** Secrets by name, each with a button that copies it. */
export function Secrets({
  secrets,
}: {
  secrets: readonly { label: string; hint?: string | undefined; value: string }[];
}) {
  return (
    <dl className="secrets">
      {secrets.map(({ label, hint, value }) => (
        <div key={label}>
          <dt>
            {label}
            {hint !== undefined && <span className="quiet"> {hint}</span>}
          </dt>
          <dd>
            <Copyable value={value} label={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
