/** Runs one check inside the page, and trusts only the frame that it opened. */
import { readEmbedMessage, type ResumeMessage } from '../../embed/protocol.ts';
import type { CheckOptions, CheckResult } from './gatehouse.d.ts';
import { labelsFor } from './labels.ts';
import { NO_RESULT, resultOf } from './addresses.ts';
import { GatehouseError } from './session.ts';
import type { View } from './view.ts';

export type EmbeddedCheck = Pick<CheckOptions, 'onComplete' | 'onClose'> & {
  /** Origin of the frame. */
  serviceOrigin: string;
  /** Secret of this session, only for the frame. */
  resumeKey: string;
  /** Opens the view; `close` is called by its own button. */
  open: (close: () => void) => View;
  /** Leaves the page for the address that the session was created with. */
  navigate: (url: string) => void;
  /** Why the frame is silent; null if the view offers another way instead, or if waiting may still help. */
  explain: (view: View, hasLoaded: boolean) => Promise<GatehouseError | null>;
};

export type EmbeddedRun = {
  result: Promise<CheckResult>;
  close: () => void;
  /** Whether it can still have a result. The page may have removed the view itself. */
  isOpen: () => boolean;
};

/** The hosted page reports before its `load`; an error page of the browser never does. */
const READY_AFTER_LOAD_MS = 3_000;
/** A frame that has not loaded by then waits for a silent network, or for an answer of the person to the browser. */
const LOAD_WITHIN_MS = 30_000;

export function runEmbedded(check: EmbeddedCheck): EmbeddedRun {
  const { promise, resolve, reject } = deferred<CheckResult>();
  let result: CheckResult | null = null;
  let redirectUrl: string | null = null;
  let open = true;
  let isRefused = false;
  let hasLoaded = false;

  const remove = () => {
    open = false;
    removeEventListener('message', receive);
    clearTimeout(timer);
    view.remove();
  };
  const close = () => {
    if (!open) return;
    remove();
    if (result === null) {
      check.onClose?.();
      resolve(NO_RESULT);
    } else if (redirectUrl !== null) check.navigate(redirectUrl);
  };
  const receive = (event: MessageEvent<unknown>) => {
    if (event.origin !== check.serviceOrigin || event.source !== view.frame.contentWindow) return;
    const message = readEmbedMessage(event.data);
    if (message !== null) watch(null);
    switch (message?.type) {
      case undefined:
        return;
      case 'vy:ready':
        view.ready();
        view.frame.contentWindow?.postMessage(
          { type: 'vy:resume', key: check.resumeKey } satisfies ResumeMessage,
          check.serviceOrigin,
        );
        return;
      case 'vy:refused':
        // The frame stays, since it offers the check in a tab of its own.
        isRefused = true;
        reject(new GatehouseError('refused', 'embedding_not_allowed'));
        return;
      case 'vy:resize':
        view.resize(message.height);
        return;
      case 'vy:language':
        view.relabel(labelsFor([message.language]));
        return;
      case 'vy:close':
        close();
        return;
      case 'vy:complete':
        if (result !== null) return;
        result = resultOf(message.vyt, message.vyc);
        redirectUrl = safeRedirect(message.redirect_url);
        resolve(result);
        check.onComplete?.(result);
    }
  };
  /** Gives up on a silent frame after a while. Null: the frame has spoken, and is watched no longer. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatched = true;
  const watch = (ms: number | null) => {
    if (!isWatched) return;
    isWatched = ms !== null;
    clearTimeout(timer);
    if (ms !== null) timer = setTimeout(giveUp, ms);
  };
  const giveUp = () => {
    void check.explain(view, hasLoaded).then((reason) => {
      // It has spoken meanwhile, or was closed.
      if (!isWatched || !open) return;
      if (reason !== null) {
        remove();
        reject(reason);
      } else if (!hasLoaded && view.frame.isConnected) watch(LOAD_WITHIN_MS);
    });
  };
  const view = check.open(close);
  addEventListener('message', receive);
  watch(LOAD_WITHIN_MS);
  view.frame.addEventListener('load', () => {
    hasLoaded = true;
    watch(READY_AFTER_LOAD_MS);
  });
  return { result: promise, close, isOpen: () => open && !isRefused && view.isShown() };
}

const safeRedirect = (url: string | null): string | null =>
  url !== null && /^https?:\/\//i.test(url) ? url : null;

/** Like `Promise.withResolvers`, which browsers of 2023 lack. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
