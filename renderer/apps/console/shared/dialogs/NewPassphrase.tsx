import { PasswordInput } from '@mantine/core';
import { MIN_PASSPHRASE_CHARS } from '../../../../../server/contract/console/access.ts';
import { useWords } from '../words.tsx';
import { text } from '../forms/fields.ts';

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
        {...text(value, onChange)}
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

type Strength = 'short' | 'weak' | 'fair' | 'strong';

const STRONG_CHARS = 20;
const STRONG_WORDS = 4;
const MIN_DIFFERENT_CHARS = 7;

/**
 * Advice while a new passphrase is typed; the server decides. Measures length and variety, which make guessing hard;
 * special characters alone add little.
 */
export function strengthOf(passphrase: string): Strength {
  if (passphrase.length < MIN_PASSPHRASE_CHARS) return 'short';
  const different = new Set(passphrase.toLowerCase()).size;
  if (different < MIN_DIFFERENT_CHARS || /^(.{1,4})\1+$/.test(passphrase)) return 'weak';
  const words = new Set(
    passphrase
      .trim()
      .toLowerCase()
      .split(/[\s\-_.]+/),
  );
  return passphrase.length >= STRONG_CHARS || words.size >= STRONG_WORDS ? 'strong' : 'fair';
}
