import { afterEach, expect, test, vi } from 'vitest';
import { cameraTroubleOf } from './camera.ts';
import { mayBeFramed } from './camera-policy.ts';

const REFUSED = Object.assign(new Error('refused'), { name: 'NotAllowedError' });

/** @param allows what the browser says of the page's policy; undefined if it says nothing */
function page(allows: boolean | undefined, isFramed: boolean) {
  vi.stubGlobal('document', allows === undefined ? {} : { featurePolicy: { allowsFeature: () => allows } });
  const window = { parent: {} };
  vi.stubGlobal('window', isFramed ? window : Object.assign(window, { parent: window }));
}
afterEach(() => void vi.unstubAllGlobals());

test('a page around the check that forbids the camera is told apart from a person who refused it', () => {
  page(false, true);
  expect(cameraTroubleOf(REFUSED)).toBe('framed');
  // On a device without a camera, Chromium says so first.
  expect(cameraTroubleOf(Object.assign(new Error('none'), { name: 'NotFoundError' }))).toBe('framed');
  page(true, true);
  expect(cameraTroubleOf(REFUSED)).toBe('denied');
});

test('a site whose own policy forbids the camera is told apart as well', () => {
  page(false, false);
  expect(cameraTroubleOf(REFUSED)).toBe('forbidden');
});

test('where the browser does not say who refused, both are possible inside another page', () => {
  page(undefined, true);
  expect(cameraTroubleOf(REFUSED)).toBe('denied');
  expect(mayBeFramed()).toBe(true);
  page(undefined, false);
  expect(mayBeFramed()).toBe(false);
  page(true, true);
  expect(mayBeFramed()).toBe(false);
});
