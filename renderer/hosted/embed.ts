/** The page inside an organiser's page: how it is laid out there, and what it tells it. */
import { DISPLAYS, EMBED_QUERY, type Display, type EmbedMessage } from '../embed/protocol.ts';
import { embedOrigin } from './embed-origin.ts';

export type Embed = {
  display: Display;
  post: (message: EmbedMessage) => void;
};

/**
 * Null when the page stands on its own, whatever its link says. With an origin that may not be told anything, the page
 * is embedded and silent. @param page `window`
 */
export function readEmbed(address: string, page: Pick<Window, 'parent'>): Embed | null {
  const query = new URL(address).searchParams;
  const { parent } = page;
  if (parent === page || query.get(EMBED_QUERY.embed) !== '1') return null;
  const origin = embedOrigin(query.get(EMBED_QUERY.origin));
  const wanted = query.get(EMBED_QUERY.display);
  return {
    display: DISPLAYS.find((display) => display === wanted) ?? 'inline',
    post: (message) => {
      if (origin !== null) parent.postMessage(message, origin);
    },
  };
}

/** Tells the embedding page how high the content is, now and whenever that changes. */
export function reportHeight(embed: Embed, content: Element): () => void {
  let last = 0;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (height === last || height === 0) return;
    last = height;
    embed.post({ type: 'vy:resize', height });
  });
  observer.observe(content);
  return () => observer.disconnect();
}

/** Tells the embedding page which language the person reads, as the document says it. */
export function reportLanguage(embed: Embed, root: Element): void {
  const observer = new MutationObserver(() => {
    embed.post({ type: 'vy:language', language: root.getAttribute('lang') ?? '' });
  });
  observer.observe(root, { attributeFilter: ['lang'] });
}

/** Lets Escape close the drawer: its key presses arrive here, never at the page around. */
export function closeOnEscape(embed: Embed, page: Window): void {
  if (embed.display !== 'drawer') return;
  page.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) embed.post({ type: 'vy:close' });
  });
}
