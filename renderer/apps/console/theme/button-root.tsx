import type { MouseEvent } from 'react';

const refuse = (event: MouseEvent): void => event.preventDefault();

/**
 * A button's element, or a link's if it has an address. One that waits for its answer can't be pressed but stays
 * enabled for the browser, because a disabled button loses the keyboard's focus.
 */
export function buttonRoot(props: Record<string, unknown>) {
  if (props['href'] !== undefined) return <a {...props} />;
  if (!props['data-loading'] || props['data-disabled']) return <button {...props} />;
  return <button {...props} disabled={false} aria-disabled aria-busy onClick={refuse} />;
}
