/** The SDK's three functions over one setting: where Gatehouse answers. */
import { baseOfScript, hostedLink, normaliseBase, takeResult } from './addresses.ts';
import { runEmbedded } from './embedded.ts';
import type * as Surface from './gatehouse.d.ts';
import type { CheckOptions, CheckResult, InitOptions } from './gatehouse.d.ts';
import { GatehouseError } from './gatehouse-error.ts';
import { labelsFor } from './labels.ts';
import { makeSession } from './session.ts';
import { openDrawer, openInline } from './view.ts';

/** The parts of `gatehouse.d.ts` that depend on where the script came from. */
export type Sdk = Pick<typeof Surface, 'init' | 'vycheck' | 'vyget'>;

/** @param scriptUrl address that the script was loaded from, where that is known */
export function createSdk(scriptUrl: string | null): Sdk {
  let base = baseOfScript(scriptUrl);
  return {
    init({ baseUrl }: InitOptions) {
      if (baseUrl === undefined) return;
      base = normaliseBase(baseUrl);
      if (base === null) throw new GatehouseError('setup', `"${baseUrl}" is not a web address.`);
    },

    async vycheck(options: CheckOptions): Promise<CheckResult> {
      if (base === null) throw new GatehouseError('setup', 'Call init({ baseUrl }) first.');
      const embedded = options.mode === 'embed';
      const container = embedded && options.display === 'inline' ? placeOf(options.container) : null;
      const session = await sessionOf(base, options, embedded);
      return embedded ? embed(base, session, options, container) : redirect(base, session, options);
    },

    vyget() {
      const { result, address } = takeResult(location.href);
      if (result !== null) history.replaceState(history.state, '', address);
      return result;
    },
  };
}

async function sessionOf(
  base: string,
  { session, publishableKey }: CheckOptions,
  embedded: boolean,
): Promise<string> {
  if (session !== undefined && publishableKey === undefined) return session;
  if (session !== undefined || publishableKey === undefined) {
    throw new GatehouseError('setup', 'Give either "session" or "publishableKey".');
  }
  const { origin, pathname } = location;
  return makeSession(base, publishableKey, embedded ? { origin } : { origin, return_path: pathname });
}

/** Found before a session is made: a mistake here should cost nothing. */
function placeOf(container: CheckOptions['container']): Element {
  const found = typeof container === 'string' ? document.querySelector(container) : container;
  if (!found) throw new GatehouseError('setup', 'There is no such "container".');
  return found;
}

/** Leaves the page; nothing that comes after is seen. */
function redirect(base: string, session: string, { email, phone }: CheckOptions): Promise<CheckResult> {
  location.assign(hostedLink(base, { session, email, phone }));
  return new Promise(() => undefined);
}

function embed(
  base: string,
  session: string,
  { email, phone, onComplete, onClose }: CheckOptions,
  container: Element | null,
): Promise<CheckResult> {
  const display = container === null ? 'drawer' : 'inline';
  const url = hostedLink(base, { session, email, phone, embed: { origin: location.origin, display } });
  const labels = labelsFor(navigator.languages);
  return runEmbedded({
    serviceOrigin: new URL(base).origin,
    open: (close) =>
      container === null ? openDrawer(url, labels, close) : openInline(url, labels, container),
    navigate: (to) => location.assign(to),
    ...(onComplete && { onComplete }),
    ...(onClose && { onClose }),
  });
}
