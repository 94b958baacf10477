/** The messages of the page inside another page. Only an embedded page loads them. */
import { readResumeKey } from '../../embed/protocol.ts';
import type { Embed } from './embed.ts';

/** How long the page waits for an announced resume key. */
const RESUME_KEY_WAIT_MS = 3_000;

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
