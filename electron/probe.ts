/** Whether the service answers. Right after waking everything is slow, so a single failure does not count. */

const PROBES = 3;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * @param url an address that answers with 200 while the service is running
 * @returns false after several tries that failed or took too long
 */
export async function doesAnswer(url: string, timeoutMs = PROBE_TIMEOUT_MS): Promise<boolean> {
  for (let probe = 0; probe < PROBES; probe++) {
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (reply.ok) return true;
    } catch {
      // The next try decides.
    }
  }
  return false;
}
