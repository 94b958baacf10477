/** Sleep and resume: detects a service that did not survive the night before anyone needs it at the door. */
import { powerMonitor } from 'electron';
import { doesAnswer } from './supervisor.ts';
import type { ServerAddresses } from './ready-line.ts';

type PowerOptions = {
  addresses: () => ServerAddresses | null;
  /** The service does not answer. */
  onDead: () => void;
  quit: () => void;
  log: (line: string) => void;
};

export function watchPower({ addresses, onDead, quit, log }: PowerOptions): void {
  powerMonitor.on('suspend', () => log('the machine is going to sleep'));
  powerMonitor.on('resume', () => {
    log('the machine is awake');
    const found = addresses();
    if (!found) return;
    void doesAnswer(`${found.connectUrl}/healthz`).then((alive) => {
      if (alive) log('the service responds after sleep');
      else onDead();
    });
  });
  // The system waits for the app, so work in progress is finished and the database closed.
  powerMonitor.on('shutdown', quit);
}
