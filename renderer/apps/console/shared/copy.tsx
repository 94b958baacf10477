/** Copying, and secrets that are shown once. */
import { ActionIcon, Checkbox, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Icon } from './icons.tsx';
import { useCommonWords } from './words.tsx';

export function CopyButton({ value, label }: { value: string; label: string }) {
  const { actions } = useCommonWords();
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const name = copied ? actions.copied : `${actions.copy}: ${label}`;
  return (
    <Tooltip label={copied ? actions.copied : actions.copy}>
      <ActionIcon variant="subtle" color="action" size={32} aria-label={name} onClick={() => copy(value)}>
        <Icon name={copied ? 'check' : 'copy'} />
      </ActionIcon>
    </Tooltip>
  );
}

/** A complete ID or key, with a button that copies it. */
export function Copyable({ value, label }: { value: string; label: string }) {
  return (
    <span className="copyable">
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

type Secret = { label: string; value: string };

/** Secrets that are never shown again. The reader has to confirm that they are stored. */
export function CopyOnce({
  secrets,
  warning,
  confirm,
  stored,
  onStored,
}: {
  secrets: readonly Secret[];
  warning: string;
  confirm: string;
  stored: boolean;
  onStored: (stored: boolean) => void;
}) {
  return (
    <div className="copy-once">
      <p className="note" data-tone="look">
        <Icon name="look" />
        <span>{warning}</span>
      </p>
      <dl className="copy-once__list">
        {secrets.map(({ label, value }) => (
          <div key={label} className="copy-once__row">
            <dt>{label}</dt>
            <dd>
              <Copyable value={value} label={label} />
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label={confirm}
        checked={stored}
        onChange={({ currentTarget }) => onStored(currentTarget.checked)}
      />
    </div>
  );
}
