/**
 * The operations of tests in a browser that Playwright does not drive. Tests poll with `evaluate`, because the pages'
 * content security policy forbids the `eval` that drivers use to wait inside a page.
 */
import { expect } from '@playwright/test';
import type { Clips } from '../../../testing/camera/clips.ts';
import { limitMs } from '../../../testing/tier.ts';

/** The first visible element that matches the selector and, if given, has this text or label. */
export type Target = { css: string; text?: string };

/** A page's document or a frame's. */
export type Place = {
  /** Runs a function in the page. It may use nothing outside itself. */
  evaluate<A extends unknown[], R>(action: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  isShown(target: Target): Promise<boolean>;
  /** Clicks with the pointer. The element must exist. */
  click(target: Target): Promise<void>;
  /** Types with the keyboard at the end of a field. The element must exist. */
  type(target: Target, text: string): Promise<void>;
};

export type Tab = Place & {
  goto(url: string): Promise<void>;
  /** The document in the first frame whose address contains `part`; rejects if there is none. */
  frame(part: string): Promise<Place>;
  setSize(widthPx: number, heightPx: number): Promise<void>;
  /** Saves a PNG of the window's content. */
  screenshot(file: string): Promise<void>;
};

export type OtherBrowser = {
  tab: Tab;
  /**
   * Gives pages a camera with a scripted person who follows the instructions: in Firefox from the next page on, in WebKit
   * the open page, because its driver cannot do this before a page loads.
   */
  standBefore(person: Clips): Promise<void>;
  close(): Promise<void>;
};

const SHOWN_MS = limitMs(7_500);

/** Runs in the page. */
export function findVisible({ css, text }: Target): Element | null {
  const labelsOf = (element: Element) => [
    element.textContent,
    element.getAttribute('aria-label'),
    ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent),
  ];
  const found = [...document.querySelectorAll(css)].find(
    (element) =>
      element.getClientRects().length > 0 &&
      (text === undefined || labelsOf(element).some((label) => label?.trim() === text)),
  );
  return found ?? null;
}

/** Waits until the element is visible. */
export async function shown(place: Place, target: Target, timeoutMs = SHOWN_MS): Promise<void> {
  // A page that is navigating does not answer.
  const isShown = () => place.isShown(target).catch(() => false);
  try {
    await expect.poll(isShown, { timeout: timeoutMs }).toBe(true);
  } catch {
    const instead = await place.evaluate(() => document.body.innerText).catch(String);
    throw new Error(`${JSON.stringify(target)} was not shown within ${timeoutMs} ms, but: ${instead}`);
  }
}

/** Waits for the element, then clicks it. */
export async function click(place: Place, target: Target): Promise<void> {
  await shown(place, target);
  await place.click(target);
}

/** Waits for the field, then types. */
export async function type(place: Place, target: Target, text: string): Promise<void> {
  await shown(place, target);
  await place.type(target, text);
}

/** The visible text of an element; empty if it does not exist. */
export const textOf = (place: Place, css: string): Promise<string> =>
  place.evaluate((selector) => document.querySelector(selector)?.textContent ?? '', css);
