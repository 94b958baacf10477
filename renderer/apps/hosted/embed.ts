/** The page inside another page: its layout there, and its messages. */
import { EMBED_QUERY, readResumeKey, type Display, type EmbedMessage } from '../../embed/protocol.ts';

export type Embed = {
  display: Display;
  /** The only origin that receives the page's messages; null if no page may. */
  origin: string | null;
  /** The embedding page keeps a resume key for the run and sends it. */
  resumable: boolean;
  post: (message: EmbedMessage) => void;
};

/** How long the page waits for an announced resume key. */
const RESUME_KEY_WAIT_MS = 3_000;

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

/**
 * Reports that the page is ready. Resolves with the resume key that the embedding page keeps for the run; null if it
 * has none or does not answer.
 */
export function announce(embed: Embed, page: Window): Promise<string | null> {
  const key = embed.resumable ? nextResumeKey(embed, page) : Promise.resolve(null);
  embed.post({ type: 'vy:ready' });
  return key;
}

function nextResumeKey({ origin }: Embed, page: Window): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (key: string | null) => {
      clearTimeout(timer);
      page.removeEventListener('message', receive);
      resolve(key);
    };
    const receive = (event: MessageEvent<unknown>) => {
      if (event.source !== page.parent || (origin !== '*' && event.origin !== origin)) return;
      const key = readResumeKey(event.data);
      if (key !== null) end(key);
    };
    const timer = setTimeout(() => end(null), RESUME_KEY_WAIT_MS);
    page.addEventListener('message', receive);
  });
}

/** Reports the height of the content to the embedding page, now and after every change. */
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

/** Reports the page's language to the embedding page, from the document. */
export function reportLanguage(embed: Embed, root: Element): void {
  const observer = new MutationObserver(() => {
    embed.post({ type: 'vy:language', language: root.getAttribute('lang') ?? '' });
  });
  observer.observe(root, { attributeFilter: ['lang'] });
}

/** Closes the view on Escape, because key presses in a frame never reach the parent page. */
export function closeOnEscape(embed: Embed, page: Window): void {
  page.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) embed.post({ type: 'vy:close' });
  });
}

/**
 * Releases the run when the frame is removed, if nothing could remember it for the next frame. A page that the browser
 * restores from its cache starts again, because its token has ended.
 */
export function releaseOnLeaving(page: Window, release: () => void): void {
  page.addEventListener('pagehide', release);
  page.addEventListener('pageshow', (event) => {
    if (event.persisted) page.location.reload();
  });
}
