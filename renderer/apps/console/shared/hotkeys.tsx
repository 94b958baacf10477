/** Keyboard shortcuts of a page, and the overlay that lists the active ones (`?`). */
import { Kbd } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  createContext,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { lazyPart } from '../../../http/load-part.ts';
import { useCommonWords } from './words.tsx';

/** A console whose server has another version by now works without it. */
const HotkeyHelp = lazyPart(
  () => import('./HotkeyHelp.tsx'),
  'HotkeyHelp',
  () => null,
);

export type Hotkey = {
  /** `KeyboardEvent.key`, such as `j`, `1`, `?`; inactive while typing. */
  key: string;
  /** Its action, for the overlay. */
  label: string;
  /** Without one it is only listed: it acts elsewhere, or later. */
  act?: () => void;
};

type Known = Map<symbol, readonly Hotkey[]>;
const HotkeyContext = createContext<Known | null>(null);

const TYPED_INTO = 'input:not([type=radio], [type=checkbox]), textarea, select';
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPED_INTO));

const isModalOpen = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

export function HotkeyProvider({ children }: { children: ReactNode }) {
  const [known] = useState<Known>(() => new Map());
  const [shown, setShown] = useState<readonly Hotkey[] | null>(null);
  const findKeys = useFindKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isModalOpen()) return;
      if (event.key === '?') {
        setShown([...known.values()].flat());
        return;
      }
      const found = [...known.values()].flat().find(({ key }) => key === event.key);
      if (found?.act === undefined) return;
      event.preventDefault();
      found.act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [known]);
  return (
    <HotkeyContext value={known}>
      {children}
      <Suspense>
        {shown !== null && <HotkeyHelp hotkeys={shown} findKeys={findKeys} onClose={() => setShown(null)} />}
      </Suspense>
    </HotkeyContext>
  );
}

/** Shortcuts that are active while the component is shown. */
export function useHotkeys(hotkeys: readonly Hotkey[]): void {
  const known = useContext(HotkeyContext);
  const id = useRef(Symbol('hotkeys')).current;
  // Before the page shows what its keys do, so that none that is pressed at once is lost.
  useLayoutEffect(() => {
    known?.set(id, hotkeys);
    return () => void known?.delete(id);
  });
}

/** @returns what a button shows of its key: nothing on a device that is used by touch */
export function useKeyHint(): (key: string) => ReactNode {
  const isTouched = useMediaQuery('(hover: none) and (pointer: coarse)', undefined, {
    getInitialValueInEffect: false,
  });
  return (key) =>
    isTouched ? undefined : (
      <Kbd size="xs" aria-hidden="true">
        {key}
      </Kbd>
    );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that open the command palette, as this device's keyboard names them. */
export function useFindKeys(): string {
  const { keys } = useCommonWords();
  return isMac ? keys.findOnMac : keys.find;
}
