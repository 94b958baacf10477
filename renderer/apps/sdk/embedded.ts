/** Runs one check inside the page, and trusts only the frame that it opened. */
import { readEmbedMessage, type ResumeMessage } from '../../embed/protocol.ts';
import type { CheckOptions, CheckResult } from './gatehouse.d.ts';
import { labelsFor } from './labels.ts';
import { NO_RESULT, resultOf } from './addresses.ts';
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
};

export type EmbeddedRun = { result: Promise<CheckResult>; close: () => void };

export function runEmbedded(check: EmbeddedCheck): EmbeddedRun {
  const { promise, resolve } = deferred<CheckResult>();
  let result: CheckResult | null = null;
  let redirectUrl: string | null = null;
  let open = true;

  const close = () => {
    if (!open) return;
    open = false;
    removeEventListener('message', receive);
    view.remove();
    if (result === null) {
      check.onClose?.();
      resolve(NO_RESULT);
    } else if (redirectUrl !== null) check.navigate(redirectUrl);
  };
  const receive = (event: MessageEvent<unknown>) => {
    if (event.origin !== check.serviceOrigin || event.source !== view.frame.contentWindow) return;
    const message = readEmbedMessage(event.data);
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
  const view = check.open(close);
  addEventListener('message', receive);
  return { result: promise, close };
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
