/** Disables gestures that leave the page: menus, dragging in or out, zoom, selection by a long press. */
const HELD = ['contextmenu', 'dragstart', 'dragover', 'drop', 'gesturestart', 'gesturechange'] as const;

export function holdGestures(document: Document): void {
  const hold = (event: Event) => event.preventDefault();
  for (const gesture of HELD) document.addEventListener(gesture, hold);
  // Two fingers on a touchpad, or the wheel with Ctrl.
  document.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey) event.preventDefault();
    },
    { passive: false },
  );
  document.addEventListener('auxclick', hold);
}
