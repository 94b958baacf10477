/**
 * Whether Gatehouse answers. It runs on the same machine or in the same building, so the browser's online state is
 * irrelevant: only a call without an answer counts.
 */
import { useSyncExternalStore } from 'react';
import { createLine } from '../../../../http/line.ts';

/** Changes such as a backup may take long, so only a cut line ends a call. */
const line = createLine((input, init) => fetch(input, init), Infinity);

/** Called after any answer, including refusals. */
export const reportReachable = (): void => line.report(true);

/** Called after a call without an answer: asks until there is one. */
export const reportUnreachable = (): void => line.report(false);

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
export const checkConnection = line.check;

export const subscribeToConnection = line.follow;

export const isReachable = line.isUp;

export const useReachable = (): boolean => useSyncExternalStore(subscribeToConnection, isReachable);
