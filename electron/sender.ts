/** Who may talk to the shell: the console's own top frame and nobody else. */
import type { ServerAddresses } from './ready-line.ts';

export type Sender = { url: string; isTopFrame: boolean };

export function isSenderAllowed(sender: Sender | null, addresses: ServerAddresses | null): boolean {
  if (!sender?.isTopFrame || !addresses || !URL.canParse(sender.url)) return false;
  return new URL(sender.url).origin === new URL(addresses.consoleUrl).origin;
}
