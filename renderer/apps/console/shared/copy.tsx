import { ActionIcon, Tooltip } from '@mantine/core';
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
