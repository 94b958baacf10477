type Props = {
  id: string;
  label: string;
  hint?: string;
  placeholder?: string;
  value: string;
  /** Why it cannot be sent, in words. */
  problem: string | null;
  multiline?: boolean;
  onChange: (value: string) => void;
};

/** Minimum number of visible lines, so that a short body does not look like a single-line field. */
const LEAST_LINES = 4;

export function TrialField({ id, label, hint, placeholder, value, problem, multiline, onChange }: Props) {
  const shared = {
    id,
    value,
    placeholder,
    spellCheck: false,
    autoCapitalize: 'off',
    autoComplete: 'off',
    'aria-invalid': problem !== null,
    'aria-describedby': problem !== null ? `${id}-problem` : hint === undefined ? undefined : `${id}-hint`,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <span className="field__hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {multiline ? (
        <textarea {...shared} rows={Math.max(LEAST_LINES, value.split('\n').length)} />
      ) : (
        <input {...shared} type="text" />
      )}
      {problem !== null && (
        <span className="field__problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
