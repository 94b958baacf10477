/** The page at `/`, the first address that the service prints: what this is, and where to go. */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { messagesOf } from '../../../locales/node.ts';
import { type Language, languageFor } from '../../contract/languages.ts';
import { readLanguageOffer } from '../../services/companies/languages.ts';
import { htmlText } from '../html.ts';
import type { PageDeps } from './hosted.ts';

const STYLE = `:root { color-scheme: light dark; --ground: #f7f5f2; --surface: #fff; --text: #24211d; --quiet: #5d574f; --action: #0b5c5e; --line: #ddd7cf; }
@media (prefers-color-scheme: dark) { :root { --ground: #191715; --surface: #24211e; --text: #f3efea; --quiet: #b8b0a6; --action: #58bab6; --line: #3e3933; } }
body { display: grid; min-height: 100vh; margin: 0; background: var(--ground); color: var(--text); font: 17px/1.5 "Inter Variable", system-ui, sans-serif; }
main { box-sizing: border-box; width: 100%; max-width: 520px; padding: 32px 20px; margin: auto; overflow-wrap: anywhere; }
svg { display: block; width: 56px; height: 56px; }
h1 { margin: 16px 0 8px; font-size: 28px; line-height: 1.2; }
p { margin: 0 0 12px; }
.quiet { color: var(--quiet); font-size: 15px; }
ul { padding: 0; margin: 24px 0; overflow: hidden; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); list-style: none; }
li + li { border-top: 1px solid var(--line); }
a { display: block; padding: 12px 16px; color: var(--action); font-weight: 600; text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 3px solid var(--action); outline-offset: -3px; border-radius: 16px; }
`;

const LOGO =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c5e"/><path d="M8 25V14a8 8 0 0 1 16 0v11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="16" cy="16" r="3" fill="#fff"/></svg>';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LINKS = { data: '/my', kiosk: '/kiosk', docs: '/docs', sdk: '/sdk/' } as const;

function startPage(language: Language): string {
  const messages = messagesOf('start', language);
  const links = (['data', 'kiosk', 'docs', 'sdk'] as const).map(
    (name) => `<li><a href="${LINKS[name]}">${htmlText(messages[name])}</a></li>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Gatehouse</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${LOGO}
<h1>Gatehouse</h1>
<p>${htmlText(messages.intro)}</p>
<p>${htmlText(messages.guest)}</p>
<ul>${links.join('')}</ul>
<p class="quiet">${htmlText(messages.console)}</p>
</main>
</body>
</html>
`;
}

export async function startPageRoute(app: FastifyInstance, { deps }: PageDeps): Promise<void> {
  app.get('/', async (request, reply) => {
    const offer = await readLanguageOffer(deps.db);
    const language = languageFor(offer, (request.headers['accept-language'] ?? '').split(','));
    return reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .type('text/html; charset=utf-8')
      .send(startPage(language));
  });
}
