/** Runs one check inside the page, and believes nobody but the frame that it opened. */
import { readEmbedMessage } from '../embed/protocol.ts';
import type { CheckOptions, CheckResult } from './gatehouse.d.ts';
import { GatehouseError } from './gatehouse-error.ts';
import { labelsFor } from './labels.ts';
import type { View } from './view.ts';

export type EmbeddedCheck = Pick<CheckOptions, 'onComplete' | 'onClose'> & {
  /** Origin that the frame shows. */
  serviceOrigin: string;
  /** Opens the view; `close` is for its own button. */
  open: (close: () => void) => View;
  /** Leaves the page for the address that the session was made with. */
  navigate: (url: string) => void;
};

export function runEmbedded(check: EmbeddedCheck): Promise<CheckResult> {
  const running = new Promise<CheckResult>((resolve, reject) => {
    let result: CheckResult | null = null;
    let redirectUrl: string | null = null;
    let open = true;

    const close = () => {
      if (!open) return;
      open = false;
      removeEventListener('message', receive);
      view.remove();
      if (result === null) {
        reject(new GatehouseError('closed', 'The view was closed before there was a result.'));
        check.onClose?.();
      } else if (redirectUrl !== null) check.navigate(redirectUrl);
    };
    const receive = (event: MessageEvent<unknown>) => {
      if (event.origin !== check.serviceOrigin || event.source !== view.frame.contentWindow) return;
      const message = readEmbedMessage(event.data);
      switch (message?.type) {
        case undefined:
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
          result = { vyt: message.vyt, vyc: message.vyc };
          redirectUrl = safeRedirect(message.redirect_url);
          resolve(result);
          check.onComplete?.(result);
      }
    };
    const view = check.open(close);
    addEventListener('message', receive);
  });
  // Who only uses the callbacks has no use for a complaint about an unheard rejection.
  running.catch(() => undefined);
  return running;
}

const safeRedirect = (url: string | null): string | null =>
  url !== null && /^https?:\/\//i.test(url) ? url : null;
