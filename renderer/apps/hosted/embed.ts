/** The page inside another page: how it is laid out there, and what it tells it. */
import {
  DISPLAYS,
  EMBED_QUERY,
  readResumeKey,
  type Display,
  type EmbedMessage,
} from '../../embed/protocol.ts';

export type Embed = {
  display: Display;
  /** The one origin that hears the page; null where no page may. */
  origin: string | null;
  /** The embedding page keeps a resume key for the run and sends it. */
  resumable: boolean;
  post: (message: EmbedMessage) => void;
};

/** How long an announced resume key is waited for. */
const RESUME_KEY_WAIT_MS = 3_000;

/**
 * Null when the page stands on its own, whatever its link says.
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
  const wanted = query.get(EMBED_QUERY.display);
  return {
    display: DISPLAYS.find((display) => display === wanted) ?? 'inline',
    origin,
    resumable: origin !== null && query.get(EMBED_QUERY.resume) === '1',
    post: (message) => {
      if (origin !== null) parent.postMessage(message, origin);
    },
  };
}

/**
 * Says that the page is there. Resolves with the resume key that the embedding page keeps for the run; null where it keeps none
 * or does not answer.
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
      if (event.source !== page.parent || event.origin !== origin) return;
      const key = readResumeKey(event.data);
      if (key !== null) end(key);
    };
    const timer = setTimeout(() => end(null), RESUME_KEY_WAIT_MS);
    page.addEventListener('message', receive);
  });
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

/** Lets Escape close the view: key presses in a frame never reach the page around it. */
export function closeOnEscape(embed: Embed, page: Window): void {
  page.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) embed.post({ type: 'vy:close' });
  });
}

/**
 * Gives the run back when the frame goes away, where nothing could remember it for the next frame. A page that the browser
 * brings back from its cache starts again, since its token has ended.
 */
export function releaseOnLeaving(page: Window, release: () => void): void {
  page.addEventListener('pagehide', release);
  page.addEventListener('pageshow', (event) => {
    if (event.persisted) page.location.reload();
  });
}
