/** Gives the page the keyboard's focus if the element that had it is gone, so that the next Tab starts there. */
export function focusPageIfLost(): void {
  if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true });
}
