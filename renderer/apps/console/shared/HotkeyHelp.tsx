import { Kbd } from '@mantine/core';
import { Dialog } from './dialogs/Dialog.tsx';
import { Fact, Facts } from './lists/DetailDrawer.tsx';
import { useCommonWords } from './words.tsx';

type HotkeyHelpProps = {
  hotkeys: readonly { key: string; label: string }[];
  /** The keys that open the command palette. */
  findKeys: string;
  onClose: () => void;
};

/** Lists the shortcuts of the page, and those that every page has. */
export function HotkeyHelp({ hotkeys, findKeys, onClose }: HotkeyHelpProps) {
  const { hotkeys: words, keys } = useCommonWords();
  const everywhere = [
    [findKeys, words.find],
    ['?', words.help],
    ['↑ ↓', words.rows],
    [keys.enter, words.open],
    [keys.escape, words.close],
  ] as const;
  const all = [
    ...hotkeys.map(({ key, label }) => [key.length === 1 ? key.toUpperCase() : key, label] as const),
    ...everywhere,
  ];
  return (
    <Dialog onClose={onClose} title={words.title}>
      <Facts>
        {all.map(([key, label]) => (
          <Fact key={`${key} ${label}`} term={<Kbd>{key}</Kbd>}>
            {label}
          </Fact>
        ))}
      </Facts>
    </Dialog>
  );
}
