/** The trust page, without scripts: a device opens it before it trusts the certificate. */
import { messagesOf } from '../../../locales/node.ts';
import type { TrustMessages } from '../../../locales/types/trust.ts';
import { type Language, LANGUAGE_NAMES, languageFor, type LanguageOffer } from '../../contract/languages.ts';
import { htmlText } from '../html.ts';

/** The language requested by name, else the browser's first; only among those offered. */
export const trustLanguage = (
  offer: LanguageOffer,
  asked: string | undefined,
  acceptLanguage: string | undefined,
): Language => languageFor(offer, [asked ?? '', ...(acceptLanguage ?? '').split(',')]);

type TrustPage = {
  language: Language;
  offered: readonly Language[];
  fingerprint: string;
  origins: readonly string[];
};

export function trustPage(
  { language, offered, fingerprint, origins }: TrustPage,
  messages: TrustMessages = messagesOf('trust', language),
): string {
  const links = offered.map((tag) =>
    tag === language
      ? `<span aria-current="true">${LANGUAGE_NAMES[language]}</span>`
      : `<a href="/trust?lang=${tag}" lang="${tag}" hreflang="${tag}">${LANGUAGE_NAMES[tag]}</a>`,
  );
  const choice = links.length > 1 ? `<nav>${links.join(' ')}</nav>` : '';
  const systems = Object.values(messages.systems).map(
    ({ name, steps }) =>
      `<details><summary>${htmlText(name)}</summary><ol>${steps.map((step) => `<li>${htmlText(step)}</li>`).join('')}</ol></details>`,
  );
  const open = origins.map(
    (origin) => `<li><a href="${htmlText(origin)}/kiosk">${htmlText(origin)}/kiosk</a></li>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(messages.title)}</title>
<link rel="stylesheet" href="/trust/style.css">
</head>
<body>
${choice}
<main>
<h1>${htmlText(messages.title)}</h1>
<p>${htmlText(messages.intro)}</p>
<h2>${htmlText(messages.compare)}</h2>
<p>${htmlText(messages.compareText)}</p>
<p class="fingerprint">${htmlText(fingerprint).replaceAll(':', ':<wbr>')}</p>
<p class="actions"><a class="button" href="/trust/gatehouse.crt" download>${htmlText(messages.download)}</a>
<a class="button" href="/trust/gatehouse.mobileconfig">${htmlText(messages.downloadApple)}</a></p>
${systems.join('\n')}
<h2>${htmlText(messages.done)}</h2>
<ul>${open.join('')}</ul>
<p>${htmlText(messages.remove)}</p>
</main>
</body>
</html>
`;
}

export const TRUST_STYLE = `:root { color-scheme: light dark; --ground: #f7f5f2; --text: #24211d; --action: #0b5c5e; --on-action: #fff; --line: #ddd7cf; }
@media (prefers-color-scheme: dark) { :root { --ground: #191714; --text: #f0ece6; --action: #7cc7c4; --on-action: #10201f; --line: #45403a; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 18px/1.5 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 16px; max-width: 640px; padding: 16px 20px; margin: 0 auto; }
main { max-width: 640px; padding: 0 20px 48px; margin: 0 auto; overflow-wrap: anywhere; hyphens: auto; }
h1 { font-size: 28px; line-height: 1.2; }
h2 { font-size: 20px; }
a { color: var(--action); }
nav a, nav span, li a { display: inline-block; min-height: 24px; padding: 10px 0; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--action); outline-offset: 3px; }
.fingerprint { font: 16px/1.6 ui-monospace, monospace; padding: 16px; border: 1px solid var(--line); border-radius: 12px; }
.actions { display: flex; flex-wrap: wrap; gap: 12px; }
.button { padding: 14px 20px; border-radius: 12px; background: var(--action); color: var(--on-action); text-decoration: none; }
details { border-top: 1px solid var(--line); }
summary { padding: 14px 0; cursor: pointer; font-weight: 600; }
`;
