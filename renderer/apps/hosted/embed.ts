/** Whether the page is inside another page, and the way to that page. */
import { EMBED_QUERY, type Display, type EmbedMessage } from '../../embed/protocol.ts';

export type Embed = {
  display: Display;
  /** The only origin that receives the page's messages; null if no page may. */
  origin: string | null;
  /** The embedding page keeps a resume key for the run and sends it. */
  resumable: boolean;
  post: (message: EmbedMessage) => void;
};

/**
 * Null if the page is not embedded, whatever its link says.
 * @param page `window`
 * @param origin the embedding origin that the server allowed for this document; null: the page is embedded and silent
 */
export function readEmbed(
  address: string,
  page: Pick<Window, 'parent'>,
  origin: string | null,
): Embed | null {
  const query = new URL(address).searchParams;
  const { parent } = page;
  if (parent === page || query.get(EMBED_QUERY.embed) !== '1') return null;
  return {
    display: query.get(EMBED_QUERY.display) === 'drawer' ? 'drawer' : 'inline',
    origin,
    resumable: origin !== null && query.get(EMBED_QUERY.resume) === '1',
    post: (message) => {
      if (origin !== null) parent.postMessage(message, origin);
    },
  };
}
