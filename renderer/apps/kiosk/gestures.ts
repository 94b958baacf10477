/** Keeps the page where it is: no menus, nothing dragged in or out, no zoom, no selection by a long press. */
const HELD = ['contextmenu', 'dragstart', 'dragover', 'drop', 'gesturestart', 'gesturechange'] as const;

export function holdGestures(document: Document): void {
  const hold = (event: Event) => event.preventDefault();
  for (const gesture of HELD) document.addEventListener(gesture, hold);
  // Two fingers on a touch pad, or the wheel with Ctrl.
  document.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) event.preventDefault();
    },
    { passive: false },
  );
  document.addEventListener('auxclick', hold);
}
