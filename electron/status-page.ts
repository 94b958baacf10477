/** The page that the window shows while there is no server: what happened, what it means, what to do. */
import { RETRY_URL } from './addresses.ts';
import type { StartStage } from './start-stage.ts';
import type { ServerState } from './supervisor.ts';

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
p { color: var(--quiet); margin: 0 0 16px; overflow-wrap: anywhere; }
blockquote { margin: 0 0 20px; padding: 4px 0 4px 16px; border-left: 3px solid var(--line); overflow-wrap: anywhere; }
a { display: inline-block; padding: 10px 20px; border-radius: 12px; background: var(--action); color: var(--on);
  font-weight: 500; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--action); outline-offset: 3px; }
`;

type Words = { title: string; text: string; reason?: string; canRetry?: boolean };

/** What comes next in a start that has come so far. */
const DOING: Record<StartStage | 'begun', string> = {
  begun: 'Step 1 of 3: the database is opened.',
  loaded: 'Step 2 of 3: the face models are opened.',
  opened: 'Step 3 of 3: each face model is tried once.',
};

function wordsFor(state: Exclude<ServerState, { kind: 'ready' }>): Words {
  switch (state.kind) {
    case 'starting':
      return {
        title: 'Starting Gatehouse',
        text: `${DOING[state.stage ?? 'begun']} On a busy machine this can take minutes. You may close the app at any time.`,
      };
    case 'restarting':
      return {
        title: 'Gatehouse is starting again',
        text: 'The service stopped without being asked to. Nothing that was confirmed is lost; checks go on in a moment.',
        ...(state.reason !== null && { reason: state.reason }),
      };
    case 'failed':
      return {
        title: 'Gatehouse could not start',
        text:
          state.reason === null
            ? 'The service ended without saying why. Try again, and look at its log if that does not help.'
            : 'Mend what is said here, then try again. No data has been changed.',
        ...(state.reason !== null && { reason: state.reason }),
        canRetry: true,
      };
  }
}

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A whole page as a `data:` address; it loads and runs nothing. */
export function statusPage(state: Exclude<ServerState, { kind: 'ready' }>): string {
  const { title, text, reason, canRetry = false } = wordsFor(state);
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Gatehouse</title>` +
    `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<style>${STYLE}</style></head><body><main><h1>${escape(title)}</h1>` +
    (reason === undefined ? '' : `<blockquote>${escape(reason)}</blockquote>`) +
    `<p>${escape(text)}</p>${canRetry ? `<a href="${RETRY_URL}">Try again</a>` : ''}</main></body></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}
