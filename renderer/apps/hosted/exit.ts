/** How a guest leaves the page at the end: to the return address, or by closing the embedded view. */
import type { FlowResult } from '../../../server/contract/flow.ts';
import type { Embed } from './embed.ts';
import { safeReturnUrl } from '../../flow/link.ts';

export type Exit = {
  embedded: boolean;
  /** The target of `leave`; null if it closes a view, or there is no target. */
  returnUrl: (result: FlowResult | null) => string | null;
  /** Whether the guest can leave at all: a page without a return address stays. */
  canLeave: (result: FlowResult | null) => boolean;
  leave: (result: FlowResult | null) => void;
  /** Closes an embedded view without a result; null if not embedded. */
  dismiss: (() => void) | null;
  /** Hands a result to the embedding page, once. */
  complete: (result: FlowResult) => void;
};

/** @param navigate goes to an address and removes this page from the history */
export function createExit(embed: Pick<Embed, 'post'> | null, navigate: (url: string) => void): Exit {
  let handed: string | null = null;
  const returnUrl = (result: FlowResult | null) =>
    embed === null ? safeReturnUrl(result?.return_url) : null;
  return {
    embedded: embed !== null,
    returnUrl,
    canLeave: (result) => embed !== null || returnUrl(result) !== null,
    leave(result) {
      const url = returnUrl(result);
      if (embed !== null) embed.post({ type: 'vy:close' });
      else if (url !== null) navigate(url);
    },
    dismiss: embed && (() => embed.post({ type: 'vy:close' })),
    complete({ vyt, vyc, requested_url }) {
      if (embed === null || handed === vyt) return;
      handed = vyt;
      const redirectUrl = safeReturnUrl(requested_url);
      embed.post({ type: 'vy:complete', vyt, vyc: vyc === 1 ? '1' : '0', redirect_url: redirectUrl });
    },
  };
}
