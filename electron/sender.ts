/** Who may talk to the shell: the console's own top frame and nobody else. */
import { isConsole } from './addresses.ts';
import type { ServerAddresses } from './ready-line.ts';

export type Sender = { url: string; isTopFrame: boolean };

export function isSenderAllowed(sender: Sender | null, addresses: ServerAddresses | null): boolean {
  return sender?.isTopFrame === true && isConsole(sender.url, addresses);
}
