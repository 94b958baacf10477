/**
 * Which keys a held kiosk accepts: those that type into a field or move between controls, and no shortcut of any
 * system.
 */

export type KeyInput = { key: string; control: boolean; alt: boolean; meta: boolean };

const MOVING: ReadonlySet<string> = new Set([
  'Tab',
  'Enter',
  'Backspace',
  'Delete',
  'Escape',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Shift',
]);

/** AltGr, which types @ on many keyboards, is reported as Control with Alt; Chromium has no shortcut with both. */
export function isKeyHeard({ key, control, alt, meta }: KeyInput): boolean {
  if (meta || control !== alt) return false;
  if (control) return key.length === 1 && !/[a-z0-9]/i.test(key);
  return MOVING.has(key) || key.length === 1;
}
