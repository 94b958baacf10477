import { expect, test } from 'vitest';
import { isKeyHeard } from './keys.ts';

const plain = { control: false, alt: false, meta: false };

test.each(['a', '7', '+', 'é', ' ', 'Tab', 'Enter', 'Backspace', 'ArrowUp'])(
  '%s is passed to the page',
  (key) => {
    expect(isKeyHeard({ ...plain, key })).toBe(true);
  },
);

test.each(['F1', 'F5', 'F11', 'F12', 'PrintScreen', 'ContextMenu', 'BrowserBack', 'Meta', 'Alt', 'Control'])(
  '%s is not',
  (key) => {
    expect(isKeyHeard({ ...plain, key })).toBe(false);
  },
);

test.each([
  { key: 'w', control: true },
  { key: 'i', control: true },
  { key: 'F4', alt: true },
  { key: 'Tab', alt: true },
  { key: 'q', meta: true },
  { key: 'Tab', control: true },
  { key: 'Escape', control: true },
  { key: 't', control: true, alt: true },
  { key: 'Delete', control: true, alt: true },
])('shortcuts are blocked: %j', (input) => {
  expect(isKeyHeard({ ...plain, ...input })).toBe(false);
});

test('characters typed with AltGr are passed to the page', () => {
  expect(isKeyHeard({ key: '@', control: true, alt: true, meta: false })).toBe(true);
});
