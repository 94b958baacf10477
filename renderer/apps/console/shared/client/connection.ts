/**
 * Whether Gatehouse answers. It runs on the same machine or in the same building, so the browser's online state is
 * irrelevant: only a call without an answer counts.
 */
import { useSyncExternalStore } from 'react';

const RETRY_MS = 1_500;

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
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

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
