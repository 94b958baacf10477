/** The page that the window shows while the server is not running: what happened and what to do. */
import { RETRY_URL } from './addresses.ts';
import { shellMessages } from './messages.ts';
import type { ServerState } from './service/supervisor.ts';

type NoServer = Exclude<ServerState, { kind: 'ready' }>;

const STYLE = `
:root { color-scheme: light dark; --ground: #f7f5f2; --text: #24211d; --quiet: #5d574f; --line: #ddd7cf; --action: #0b5c5e; --on: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #191715; --text: #f3efea; --quiet: #b8b0a6; --line: #3e3933; --action: #58bab6; --on: #10201f; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; background: var(--ground); color: var(--text);
  font: 16px/1.5 "Inter Variable", system-ui, sans-serif; }
main { max-width: 36rem; padding: 24px; }
h1 { font-size: 22px; font-weight: 600; margin: 0 0 8px; }
svg { display: block; width: 64px; height: 64px; margin: 0 0 20px; }
p { color: var(--quiet); margin: 0 0 16px; overflow-wrap: anywhere; }
.later { visibility: hidden; animation: show 0s 5s forwards; }
@keyframes show { to { visibility: visible; } }
blockquote { margin: 0 0 20px; padding: 4px 0 4px 16px; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
a { display: inline-block; padding: 10px 20px; border-radius: 12px; background: var(--action); color: var(--on);
  font-weight: 500; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--action); outline-offset: 3px; }
`;

type PageCopy = {
  title: string;
  text: string;
  /** Shown after 5 s, to those who still wait. Its space is reserved. */
  later?: string;
  reason?: string;
  canRetry?: boolean;
};

function copyFor(state: NoServer, language: string): PageCopy {
  const messages = shellMessages(language);
  switch (state.kind) {
    case 'starting':
      return {
        title: messages.starting,
        text: messages.doing[state.stage ?? 'begun'],
        later: messages.patience,
      };
    case 'restarting':
      return {
        title: messages.restarting,
        text: messages.restartingText,
        ...(state.reason !== null && { reason: state.reason }),
      };
    case 'failed':
      return {
        title: messages.failed,
        text: state.reason === null ? messages.failedSilently : messages.failedText,
        ...(state.reason !== null && { reason: state.reason }),
        canRetry: true,
      };
  }
}

const LOGO =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c5e"/><path d="M8 25V14a8 8 0 0 1 16 0v11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="16" cy="16" r="3" fill="#fff"/></svg>';

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A complete page as a `data:` address; it loads and runs nothing. */
export function statusPage(state: NoServer, language: string): string {
  const { title, text, later, reason, canRetry = false } = copyFor(state, language);
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Gatehouse</title>` +
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<style>${STYLE}</style></head><body><main>${LOGO}<h1>${escape(title)}</h1>` +
    (reason === undefined ? '' : `<blockquote>${escape(reason)}</blockquote>`) +
    `<p>${escape(text)}</p>${later === undefined ? '' : `<p class="later">${escape(later)}</p>`}${canRetry ? `<a href="${RETRY_URL}">${escape(shellMessages(language).retry)}</a>` : ''}</main></body></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}
