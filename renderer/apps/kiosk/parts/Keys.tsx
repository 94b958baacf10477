/** On-screen keys, for gloves and machines without a keyboard; a keyboard works as well. */
import { LineIcon } from '../../../ui/Icon.tsx';
import { useKiosk } from '../context.ts';

/** Only here, so that no other page carries it. */
const BACKSPACE = 'M8.5 6H20v12H8.5L3 12zM12 10l4 4M16 10l-4 4';

export const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'] as const;

type KeysProps = {
  keys: readonly string[];
  value: string;
  maxLength: number;
  isDisabled?: boolean;
  onChange: (value: string) => void;
};

export function Keys({ keys, value, maxLength, isDisabled = false, onChange }: KeysProps) {
  const { words } = useKiosk();
  return (
    <div
      className={`keys${keys.length > 14 ? ' keys--many' : ''}`}
      role="group"
      aria-label={words.keys.label}
    >
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          className="key"
          disabled={isDisabled || value.length >= maxLength}
          onClick={() => onChange(value + key)}
        >
          {key}
        </button>
      ))}
      <button
        type="button"
        className="key key--erase"
        aria-label={words.keys.erase}
        disabled={isDisabled || value === ''}
        onClick={() => onChange(value.slice(0, -1))}
      >
        <LineIcon path={BACKSPACE} size={36} stroke={1.8} />
      </button>
    </div>
  );
}
