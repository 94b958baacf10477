import { PasswordInput } from '@mantine/core';
import { strengthOf, type Strength } from './passphrase.ts';
import { useWords } from './words.tsx';

const LEVELS: readonly Strength[] = ['weak', 'fair', 'strong'];

/** Input for a new passphrase, with its strength in words. */
export function NewPassphrase({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const words = useWords('setup');
  const strength = strengthOf(value);
  return (
    <div className="stack">
      <PasswordInput
        label={label}
        description={words.passphraseHelp}
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {value !== '' && (
        <p className="strength" data-strength={strength} aria-live="polite">
          <span className="strength__bar" aria-hidden="true">
            {LEVELS.map((level, index) => (
              <span key={level} data-on={index <= LEVELS.indexOf(strength)} />
            ))}
          </span>
          {words.strength[strength]}
        </p>
      )}
    </div>
  );
}
