/** Sleep and resume: a service that did not survive the night is found before somebody stands at the door. */
import { powerMonitor } from 'electron';
import type { ServerAddresses } from './ready-line.ts';

export type PowerOptions = {
  addresses: () => ServerAddresses | null;
  /** The service does not answer. */
  onDead: () => void;
  quit: () => void;
  log: (line: string) => void;
};

const PROBES = 3;
const PROBE_TIMEOUT_MS = 5_000;

export function watchPower({ addresses, onDead, quit, log }: PowerOptions): void {
  powerMonitor.on('suspend', () => log('the machine goes to sleep'));
  powerMonitor.on('resume', () => {
    log('the machine is awake');
    const found = addresses();
    if (found) void answers(`${found.connectUrl}/healthz`).then((alive) => alive || onDead());
  });
  // The system waits for us; what is under way is finished and the database closed.
  powerMonitor.on('shutdown', quit);
}

/** Whether it answers at all, in a few tries: right after waking everything is slow. */
async function answers(url: string): Promise<boolean> {
  for (let probe = 0; probe < PROBES; probe++) {
    try {
      const reply = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
      if (reply.ok) return true;
    } catch {
      // The next try decides.
    }
  }
  return false;
}
