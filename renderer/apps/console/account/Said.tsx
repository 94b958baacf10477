import type { ReactNode } from 'react';
import { Icon } from '../shared/icons.tsx';

/** Confirms an action next to where it was done. */
export function Said({ children }: { children: ReactNode }) {
  return (
    <p className="note" data-tone="passed" role="status">
      <Icon name="check" />
      <span>{children}</span>
    </p>
  );
}
