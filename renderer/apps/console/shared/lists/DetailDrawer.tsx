import { Drawer } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Copyable } from '../copy.tsx';
import { Around, Close, useGuardedClose } from '../forms/unsaved.ts';
import { Time, type TimeProps } from '../time/Time.tsx';
import { useCommonWords } from '../words.tsx';
import { useChangeSearch, useSearch } from './search.ts';

/** Name of the address parameter for the open row. */
const OPEN = 'open';

/** The open row of a page's list, in the address: "back" closes it, a link opens it. */
export function useOpenRow(): { openId: string | undefined; open: (id: string) => void; close: () => void } {
  const openId = useSearch()[OPEN];
  const change = useChangeSearch();
  return {
    openId,
    open: (id) => change({ [OPEN]: id }, { replace: openId !== undefined }),
    close: () => change({ [OPEN]: undefined }),
  };
}

/** A row's detail next to the list, which does not move. */
export function DetailDrawer({
  title,
  opened,
  onClose,
  children,
}: {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const words = useCommonWords();
  const { close, within } = useGuardedClose(onClose);
  // Mantine would close the drawer together with a dialog over it.
  useWindowEvent(
    'keydown',
    ({ key, isComposing, target }) => {
      if (key !== 'Escape' || isComposing || !opened || !(target instanceof Element)) return;
      const isOfAnother =
        // It gets the focus a moment after it opened, and may have closed before this listener is called.
        document.querySelector('.mantine-Modal-content') !== null ||
        target.closest('.mantine-Modal-content') !== null ||
        target.getAttribute('data-mantine-stop-propagation') === 'true';
      if (!isOfAnother) close();
    },
    { capture: true },
  );
  return (
    <Drawer
      opened={opened}
      onClose={close}
      closeOnEscape={false}
      position="right"
      size={480}
      title={title}
      closeButtonProps={{ 'aria-label': words.actions.close }}
    >
      <Around value={within}>
        <Close value={close}>{children}</Close>
      </Around>
    </Drawer>
  );
}

/** Facts of a record, as terms and values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div className="facts__row">
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export const TimeFact = ({ term, ...time }: TimeProps & { term: string }) => (
  <Fact term={term}>
    <Time {...time} />
  </Fact>
);

/** A value that is copied rather than read. */
export const CopyFact = ({ term, value }: { term: string; value: string }) => (
  <Fact term={term}>
    <Copyable value={value} label={term} />
  </Fact>
);
