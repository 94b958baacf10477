/**
 * A signal that aborts with the first of several. `AbortSignal.any` does the same, but is missing before iOS 17.4 and
 * Chrome 116. Stops listening to the others once it has aborted.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const joined = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason);
    signal.addEventListener('abort', () => joined.abort(signal.reason), { signal: joined.signal });
  }
  return joined.signal;
}
