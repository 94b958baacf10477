import type { ServiceDeps } from './deps.ts';
import type { Installation } from './setup/installation.ts';
import type { LiveBus } from './live.ts';

/** What the console works with beside the service's own. */
export type ConsoleDeps = ServiceDeps & {
  live: LiveBus;
  /** Needed to make the first admin from another machine; null where only this machine may. */
  setupCode: string | null;
  installation: Installation;
};
