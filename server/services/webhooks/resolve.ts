/** Resolves names, so that a dead name server does not delay other deliveries. */
import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a name, as text. Rejects if there is none. */
export type ResolveHost = (host: string) => Promise<string[]>;

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** The name server answered that there is no such record. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks the name servers directly, because the system's look-up shares two threads, which two dead names would block.
 * If they know no such name, it may be in the hosts file or on the local network, so the system is asked.
 */
export const resolveHost: ResolveHost = async (host) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const failure = answers.find(
    (answer) => answer.status === 'rejected' && !NO_SUCH_NAME.has(codeOf(answer.reason)),
  );
  if (failure?.status === 'rejected') throw failure.reason;
  return resolveBySystem(host);
};

/** The resolver of all other programs on this machine. */
export const resolveBySystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

function codeOf(reason: unknown): string {
  return reason instanceof Error && 'code' in reason ? String(reason.code) : '';
}
