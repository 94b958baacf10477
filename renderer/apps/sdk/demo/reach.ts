/** “Can my shop reach it?”: one file for the shop, which has the problems that the SDK would have in the visitor's browser. */
import { newResumeKey } from '../../../embed/protocol.ts';
import { hostedLink, normaliseBase } from '../addresses.ts';
import { runEmbedded } from '../embedded.ts';
import { labelsFor } from '../labels.ts';
import { whyBlank } from '../reach.ts';
import { GatehouseError } from '../session.ts';
import { openInline } from '../view.ts';

type Finding = 'shown' | Awaited<ReturnType<typeof whyBlank>>;

const form = element<HTMLFormElement>('#form');
const address = element<HTMLInputElement>('#address');
const outcome = element('#outcome');

function element<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`The page lacks ${selector}.`);
  return found;
}

/** Opens a check that does not exist in a frame: its page reports like any other. */
function tryFrame(base: string): Promise<Finding> {
  return new Promise((resolve) => {
    const { result, close } = runEmbedded({
      serviceOrigin: new URL(base).origin,
      resumeKey: newResumeKey(),
      open: () => {
        const url = hostedLink(base, { session: 'reach', embed: { origin, display: 'inline' } });
        const inline = openInline(url, labelsFor(navigator.languages), { container: outcome, height: '0' });
        return {
          ...inline,
          ready() {
            resolve('shown');
            close();
          },
        };
      },
      navigate: () => undefined,
      async explain(_view, hasLoaded) {
        const why = await whyBlank(base);
        if (why === 'blocked' && !hasLoaded) return null;
        resolve(why);
        return new GatehouseError(why === 'kept' ? 'unreachable' : why, base);
      },
    });
    result.catch(() => undefined);
  });
}

const show = (id: string) => {
  for (const section of document.querySelectorAll<HTMLElement>('[data-finding]')) {
    section.hidden = section.dataset['finding'] !== id;
  }
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const base = normaliseBase(address.value.trim());
  if (base === null) {
    show('wrong');
    return;
  }
  show('waiting');
  element<HTMLAnchorElement>('#own').href = `${base}/sdk/`;
  void tryFrame(base).then(show);
});

const isOwn = location.pathname.endsWith('/sdk/reach');
address.value = new URL(location.href).searchParams.get('base') ?? (isOwn ? location.origin : '');
element<HTMLElement>('#put').hidden = !isOwn;
element('#query').textContent = `?base=${location.origin}`;
