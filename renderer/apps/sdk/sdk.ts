/** The SDK's three functions, using the settings of `init` and the last result. */
import { newResumeKey } from '../../embed/protocol.ts';
import { baseOfScript, hostedLink, normaliseBase, takeResult, NO_RESULT } from './addresses.ts';
import { type EmbeddedRun, runEmbedded, deferred } from './embedded.ts';
import type * as Surface from './gatehouse.d.ts';
import type { CheckHandle, CheckOptions, CheckResult } from './gatehouse.d.ts';
import { GatehouseError, makeSession, type SessionRequest } from './session.ts';
import { labelsFor } from './labels.ts';
import { whyBlank } from './reach.ts';
import { openDrawer, openInline } from './view.ts';

/** The parts of `gatehouse.d.ts` that depend on the script's address. */
export type Sdk = Pick<typeof Surface, 'init' | 'vycheck' | 'vyget'>;

/** @param scriptUrl address that the script was loaded from, if known */
export function createSdk(scriptUrl: string | null): Sdk {
  let base = baseOfScript(scriptUrl);
  let settings: CheckOptions = {};
  let last: CheckResult = NO_RESULT;
  let current: { run: EmbeddedRun; handle: CheckHandle } | null = null;
  const resumeKeys = new Map<string, string>();
  /**
   * The same for each frame of a session on this page, so that the next one continues where the previous one stopped.
   */
  const resumeKeyOf = (session: string): string => {
    const key = resumeKeys.get(session) ?? newResumeKey();
    resumeKeys.set(session, key);
    return key;
  };

  const check = (options: CheckOptions): EmbeddedRun => {
    if (base === null) throw new GatehouseError('setup', 'Call init({ baseUrl }) first.');
    const embedded = isEmbedded(options.mode);
    const at = base;
    if (!embedded) return startRedirect(at, options);
    const { onComplete } = options;
    return startEmbedded(at, resumeKeyOf, {
      ...options,
      onComplete(result) {
        last = result;
        onComplete?.(result);
      },
    });
  };

  return {
    init(options) {
      const { baseUrl, mode } = options;
      isEmbedded(mode);
      if (baseUrl !== undefined) {
        base = normaliseBase(baseUrl);
        if (base === null) throw new GatehouseError('setup', `"${baseUrl}" is not a web address.`);
      }
      settings = options;
    },

    vycheck(options = {}) {
      // A second click, or a component that is mounted twice, must not start a second check.
      if (current?.run.isOpen()) return current.handle;
      // Of a view that the page has removed, or that only says why it shows no check.
      current?.run.close();
      const run = startOrReject(() => check({ ...settings, ...options }));
      const { result, close } = run;
      // An integrator who only uses callbacks does not have to handle the promise.
      result.catch(() => undefined);
      const handle = Object.assign(result, { close }) satisfies CheckHandle;
      current = { run, handle };
      return handle;
    },

    vyget() {
      const { result, address } = takeResult(location.href);
      if (result !== null) {
        last = result;
        history.replaceState(history.state, '', address);
      }
      return last;
    },
  };
}

/** A wrong call rejects like a failed one, so that both can be caught in one place. */
function startOrReject(start: () => EmbeddedRun): EmbeddedRun {
  try {
    return start();
  } catch (error) {
    const { promise, reject } = deferred<CheckResult>();
    reject(error);
    return { result: promise, close: () => undefined, isOpen: () => false };
  }
}

/** @throws GatehouseError `setup` for a mode that does not exist */
function isEmbedded(mode: CheckOptions['mode']): boolean {
  switch (mode) {
    case undefined:
    case 'redirect':
      return false;
    case 'iframe':
    case 'embed':
      return true;
    default:
      throw new GatehouseError('setup', `There is no mode "${String(mode)}". Use "redirect" or "iframe".`);
  }
}

function sessionOf(
  base: string,
  { session, publishableKey, origin, returnPath, config }: CheckOptions,
  embedded: boolean,
): Promise<string> {
  if (session !== undefined) {
    if (session.trim() === '') throw new GatehouseError('setup', '"session" is empty.');
    return Promise.resolve(session.trim());
  }
  if (publishableKey === undefined) {
    throw new GatehouseError('setup', 'Give "session", or "publishableKey" here or to init().');
  }
  const home = origin ?? ownOrigin();
  if (home === null && !(embedded && publishableKey.startsWith('pk_test_'))) {
    throw new GatehouseError(
      'setup',
      'This page has no origin (a file or a sandboxed frame). Give "origin".',
    );
  }
  const path = returnPath ?? (embedded ? undefined : location.pathname);
  const request: SessionRequest = {
    ...(home !== null && { origin: home }),
    ...(path !== undefined && home !== null && { return_path: path }),
    ...(config !== undefined && { config }),
  };
  return makeSession(base, publishableKey, request);
}

/** As browsers tell it to others; null for a file, a sandboxed frame and the like, whatever their address. */
function ownOrigin(): string | null {
  const { origin = location.origin } = globalThis as Partial<Pick<Window, 'origin'>>;
  return origin === 'null' ? null : origin;
}

/** Leaves the page; no later code runs. */
function startRedirect(base: string, options: CheckOptions): EmbeddedRun {
  const { email, phone } = options;
  let isOpen = true;
  const result = sessionOf(base, options, false)
    .finally(() => (isOpen = false))
    .then((session) => {
      location.assign(hostedLink(base, { session, email, phone }));
      return new Promise<never>(() => undefined);
    });
  return { result, close: () => undefined, isOpen: () => isOpen };
}

function startEmbedded(
  base: string,
  resumeKeyOf: (session: string) => string,
  options: CheckOptions,
): EmbeddedRun {
  const { email, phone, onComplete, onClose, inlineHeight, theme } = options;
  // Checked before a session is created, so that an error here costs nothing.
  const container = options.display === 'inline' ? placeOf(options.container) : null;
  if (container === null && (document.body as HTMLElement | null) === null) {
    throw new GatehouseError('setup', 'The page has no body yet. Call vycheck() once it is there.');
  }
  const { promise, resolve, reject } = deferred<CheckResult>();
  let running: EmbeddedRun | null = null;
  let closed = false;

  const show = (session: string) => {
    if (closed) return;
    const display = container === null ? 'drawer' : 'inline';
    const embed = { origin: ownOrigin() ?? 'null', display } as const;
    const url = hostedLink(base, { session, email, phone, embed });
    const labels = labelsFor(navigator.languages);
    running = runEmbedded({
      serviceOrigin: new URL(base).origin,
      resumeKey: resumeKeyOf(session),
      open: (close) =>
        container === null
          ? openDrawer(url, labels, { theme, onClose: close })
          : openInline(url, labels, { container, height: inlineHeight }),
      navigate: (to) => location.assign(to),
      async explain(view, hasLoaded) {
        const why = await whyBlank(base);
        if (why === 'kept') view.offer(hostedLink(base, { session, email, phone }), labels);
        if (why === 'kept' || (why === 'blocked' && !hasLoaded)) return null;
        return new GatehouseError(why, base);
      },
      ...(onComplete && { onComplete }),
      ...(onClose && { onClose }),
    });
    running.result.then(resolve, reject);
  };
  sessionOf(base, options, true)
    .then(show)
    .catch((error: unknown) => {
      closed = true;
      reject(error instanceof GatehouseError ? error : new GatehouseError('setup', String(error)));
    });

  return {
    result: promise,
    close() {
      if (running !== null) {
        running.close();
        return;
      }
      if (closed) return;
      closed = true;
      onClose?.();
      resolve(NO_RESULT);
    },
    isOpen: () => (running === null ? !closed : running.isOpen()),
  };
}

function placeOf(container: CheckOptions['container']): Element {
  const found = typeof container === 'string' ? document.querySelector(container) : container;
  if (!found) throw new GatehouseError('setup', 'There is no such "container".');
  return found;
}
