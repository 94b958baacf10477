/** How a person leaves the page at the end: to the return address, or by closing the embedded view. */
import type { FlowResult } from '../../../server/contract/flow.ts';
import type { Embed } from './embed.ts';
import { safeReturnUrl } from '../../flow/link.ts';

export type Exit = {
  embedded: boolean;
  /** Where `leave` goes; null where it closes a view, or where there is nowhere to go. */
  returnUrl: (result: FlowResult | null) => string | null;
  /** Whether there is a way to leave at all: a page of its own without a return address stays. */
  canLeave: (result: FlowResult | null) => boolean;
  leave: (result: FlowResult | null) => void;
  /** Closes an embedded view and settles nothing; null on a page of its own. */
  dismiss: (() => void) | null;
  /** Hands a result to the embedding page, once. */
  complete: (result: FlowResult) => void;
};

/** @param navigate goes to an address and takes this page out of the history */
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
