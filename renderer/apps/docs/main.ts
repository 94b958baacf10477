/** What the pages of the guide do beyond showing themselves: the contents on a phone, copying, the chosen language, search and trials. */
import '@fontsource/jetbrains-mono/latin-400.css';
import '../../ui/tokens.css';
import '../../ui/base.css';
import './page.css';
import './contents.css';
import './content.css';
import { reportPageError, watchPageErrors } from '../../ui/page-errors.ts';
import { recall, remember } from './memory.ts';
import { startTrial } from './trial-form.ts';

watchPageErrors('docs');

/** Where the pages name an integrator’s own address. */
const BASE_URL = 'https://verify.example.org';
const LANGUAGE = 'language';

/** Addresses of the reference before it had a page for each operation: `/docs#initialize`. */
const former = document.querySelector<HTMLAnchorElement>(
  `a[data-id="${CSS.escape(location.hash.slice(1))}"]`,
);
if (location.pathname === '/docs' && former !== null) location.replace(former.href);

for (const code of document.querySelectorAll('pre code')) {
  if (code.textContent.includes(BASE_URL))
    code.textContent = code.textContent.replaceAll(BASE_URL, location.origin);
}

/** Chooses a language in every sample that has it. */
function choose(language: string): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>('.sample input')) {
    if (choice.value === language) choice.checked = true;
  }
}
choose(recall(LANGUAGE));
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
  remember(LANGUAGE, target.value);
  choose(target.value);
});

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-copy]') : null;
  const shown = [...(button?.parentElement?.querySelectorAll('code') ?? [])].find(
    (code) => code.getClientRects().length > 0,
  );
  if (button === null || shown === undefined) return;
  const select = () => {
    getSelection()?.selectAllChildren(shown);
    button.textContent = 'Selected';
  };
  // Missing on pages that are neither secure nor on this machine, despite its type.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const copying = clipboard?.writeText(shown.textContent).then(() => {
    button.textContent = 'Copied';
  }, select);
  if (!copying) select();
});

const contents = document.getElementById('contents');
const toggle = document.getElementById('toggle');
function open(isOpen: boolean): void {
  contents?.toggleAttribute('data-open', isOpen);
  toggle?.setAttribute('aria-expanded', String(isOpen));
}
toggle?.addEventListener('click', () => open(toggle.getAttribute('aria-expanded') !== 'true'));
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || toggle?.getAttribute('aria-expanded') !== 'true') return;
  open(false);
  toggle.focus();
});
const current = contents?.querySelector('[aria-current]');
// The place of a page far down in the contents, without moving the page itself.
if (contents && current instanceof HTMLElement && current.offsetTop > contents.clientHeight)
  contents.scrollTop = current.offsetTop - contents.clientHeight / 2;

const field = document.getElementById('search');
// Loaded when it is used: its library is larger than everything else here.
const loadSearch = async () => {
  const { startSearch } = await import('./search.ts');
  startSearch();
};
field?.addEventListener(
  'focus',
  () => void loadSearch().catch((error: unknown) => reportPageError('load', error)),
  { once: true },
);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});

const trial = document.querySelector<HTMLFormElement>('.try form');
if (trial !== null) startTrial(trial);
