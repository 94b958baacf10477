/** Finds parts of the guide by their words, in the browser: nothing that is typed leaves it. */
import MiniSearch from 'minisearch';

/** As `scripts/docs/site.ts` writes them. */
type Section = { id: string; page: string; title: string; text: string };

const MOST_RESULTS = 12;
const EXCERPT_CHARS = 120;

export function startSearch(): void {
  const field = document.getElementById('search') as HTMLInputElement;
  const list = document.getElementById('results') as HTMLElement;
  const found = document.getElementById('found') as HTMLElement;
  const index = load();
  let turn = 0;

  const close = () => {
    turn++;
    list.hidden = true;
    found.textContent = '';
  };
  const look = async () => {
    const query = field.value.trim();
    if (query === '') {
      close();
      return;
    }
    const mine = ++turn;
    const sections = await index.catch(() => null);
    // A later query has its own answer.
    if (mine !== turn) return;
    const hits = sections?.search(query) ?? [];
    found.textContent =
      sections === null
        ? 'The search could not be loaded. Reload the page to try again.'
        : hits.length === 0
          ? 'Nothing found. Try another word.'
          : hits.length === 1
            ? '1 result'
            : `${hits.length} results`;
    const items = hits
      .slice(0, MOST_RESULTS)
      .map((hit) => itemOf({ id: String(hit.id), ...(hit as unknown as Omit<Section, 'id'>) }, hit.terms));
    list.replaceChildren(
      ...(items.length > 0 ? items : [made('li', { className: 'none', textContent: found.textContent })]),
    );
    list.hidden = false;
  };
  field.addEventListener('input', () => void look());
  void look();

  /** Arrow keys move between the field and the results, Escape leaves them. */
  const search = field.closest('search');
  search?.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close();
      field.focus();
    }
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way === undefined || list.hidden) return;
    event.preventDefault();
    const stops = [field, ...list.querySelectorAll('a')];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops.at((at + way) % stops.length)?.focus();
  });
  search?.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !search.contains(relatedTarget)) close();
  });
  field.addEventListener('click', () => void look());
  // A result on the same page.
  list.addEventListener('click', close);
}

async function load(): Promise<MiniSearch<Section>> {
  const reply = await fetch('/assets/docs/sections.json');
  if (!reply.ok) throw new Error(`sections.json answered ${reply.status}`);
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page', 'text'],
    searchOptions: {
      prefix: true,
      fuzzy: 0.2,
      boost: { title: 4, page: 2 },
      combineWith: 'AND',
      // What changed says less than what holds.
      boostDocument: (id: unknown) => (String(id).startsWith('/docs/changelog') ? 0.2 : 1),
    },
  });
  index.addAll((await reply.json()) as Section[]);
  return index;
}

const made = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  parts: Partial<HTMLElementTagNameMap[Name]>,
) => Object.assign(document.createElement(name), parts);

function itemOf({ id, page, title, text }: Section, terms: readonly string[]): HTMLElement {
  const item = made('li', {});
  const link = made('a', { href: id });
  const from = excerptStart(text, terms);
  const words = text.slice(from, from + EXCERPT_CHARS).replace(/\S*$/, '');
  const excerpt = made('span', {
    textContent: `${page === title ? '' : `${page}: `}${from > 0 ? '…' : ''}${text.length > EXCERPT_CHARS ? `${words}…` : text}`,
  });
  link.append(made('strong', { textContent: title }), excerpt);
  item.append(link);
  return item;
}

/** Some words before the first that was found. */
function excerptStart(text: string, terms: readonly string[]): number {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const first = Math.min(...places, text.length);
  return first < EXCERPT_CHARS / 2 || first === text.length
    ? 0
    : text.lastIndexOf(' ', first - EXCERPT_CHARS / 4);
}
