/**
 * Whether Gatehouse answers. It runs on the same machine or in the same building, so the browser's online state is
 * irrelevant: only a call without an answer counts.
 */
import { useSyncExternalStore } from 'react';
import { createLine } from '../../../../http/line.ts';

const RETRY_MS = 1_500;
const ANSWER_WITHIN_MS = 2_500;

let reachable = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: boolean): void {
  if (reachable === next) return;
  reachable = next;
  for (const listener of listeners) listener();
}

/** Called after any answer, including refusals. */
export function reportReachable(): void {
  clearTimeout(timer);
  timer = undefined;
  change(true);
}

/** Called after a call without an answer: polls until there is one. */
export function reportUnreachable(): void {
  change(false);
  timer ??= setTimeout(() => void askAgain(), RETRY_MS);
}

async function askAgain(): Promise<void> {
  timer = undefined;
  if (await answers()) reportReachable();
  else reportUnreachable();
}

async function answers(): Promise<boolean> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ANSWER_WITHIN_MS);
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: limit.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Changes such as a backup may take long, so only a cut line ends a call. */
const line = createLine((input, init) => fetch(input, init), Infinity);
line.follow((isUp) => (isUp ? reportReachable() : reportUnreachable()));

/** `fetch` of the console's calls: one that hangs on a cut line fails when the line is back. */
export const lineFetch = line.fetch;

/** Starts asking now and then whether the server is there. Called once, when the page starts. */
export const watchLine = (): void => line.watch(() => true);

/** Called when the line is back after a cut: a stream of before is dead. */
export const whenLineIsBack = (listener: () => void): (() => void) =>
  line.follow((isUp) => {
    if (isUp) listener();
  });

/** Checks the server once, after a stream was lost for an unknown reason. */
export async function checkConnection(): Promise<boolean> {
  const here = await answers();
  if (here) reportReachable();
  else reportUnreachable();
  return here;
}

export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isReachable = (): boolean => reachable;

export const useReachable = (): boolean => useSyncExternalStore(subscribeToConnection, isReachable);
