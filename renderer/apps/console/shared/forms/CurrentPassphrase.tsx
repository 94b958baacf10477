import { PasswordInput } from '@mantine/core';
import { text } from './fields.ts';

type CurrentPassphraseProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** A dialog opens with the focus here. */
  isFirst?: boolean;
};

/** The operator's own passphrase, asked for again before what nobody else may do in their name. */
export function CurrentPassphrase({ label, value, onChange, isFirst = false }: CurrentPassphraseProps) {
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      data-autofocus={isFirst || undefined}
      {...text(value, onChange)}
    />
  );
}
