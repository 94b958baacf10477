/** Where an embedded check is shown. Styles are set so that the page's own styles and content policy do not matter. */
import type { CheckOptions } from './gatehouse.d.ts';
import type { Labels } from './labels.ts';
import { FRAME_PERMISSIONS } from './reach.ts';

export type View = {
  frame: HTMLIFrameElement;
  /** The hosted page is shown, with its own × button. */
  ready: () => void;
  /** Content height in CSS pixels, as the frame reports it. */
  resize: (height: number) => void;
  /** Its labels, in the language that the frame reported. */
  relabel: (labels: Labels) => void;
  /** Replaces the frame by a link to the check on a page of its own. */
  offer: (href: string, labels: Labels) => void;
  /** Whether it is still in the page. */
  isShown: () => boolean;
  remove: () => void;
};

/** Until the frame reports its height, and if the container has no height to fill. */
const FIRST_HEIGHT_PX = 600;

function frameOf(url: string, { view }: Labels): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.allow = FRAME_PERMISSIONS;
  frame.title = view;
  frame.src = url;
  return frame;
}

export type InlineOptions = { container: Element; height: CheckOptions['inlineHeight'] };

/** An element in the page: as high as its container, as its content, or as specified. */
export function openInline(url: string, labels: Labels, { container, height = 'fill' }: InlineOptions): View {
  const frame = frameOf(url, labels);
  const first = `${FIRST_HEIGHT_PX}px`;
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: height === 'fill' ? '100%' : height === 'auto' ? first : height,
    border: '0',
    borderRadius: '16px',
  });
  container.append(frame);
  // A percentage of an undefined height is no height.
  if (height === 'fill' && frame.clientHeight === 0) frame.style.height = first;
  let shown: Element = frame;
  return {
    frame,
    ready: () => undefined,
    resize: (contentHeight) => {
      if (height === 'auto') frame.style.height = `${contentHeight}px`;
    },
    relabel: ({ view }) => {
      frame.title = view;
    },
    offer(href, words) {
      shown = offerOf(href, words);
      frame.replaceWith(shown);
    },
    isShown: () => shown.isConnected,
    remove: () => shown.remove(),
  };
}

const DRAWER_CSS = `
dialog{--ground:#f7f5f2;--text:#24211d;--focus:#0b5c5e;position:fixed;inset:0 0 0 auto;display:block;box-sizing:border-box;
width:min(100vw,460px);height:100vh;height:100dvh;max-width:none;max-height:none;margin:0;padding:0;border:0;
background:var(--ground);color:var(--text);box-shadow:0 0 48px rgb(0 0 0/25%);animation:in 180ms ease-out}
dialog.dark{--ground:#191715;--text:#f3efea;--focus:#8ed8d4}
dialog::backdrop{background:rgb(20 18 16/50%)}
button{position:absolute;inset:8px 8px auto auto;width:44px;height:44px;padding:10px;border:0;border-radius:12px;
background:none;color:inherit;cursor:pointer}
button:hover{background:rgb(127 120 110/20%)}
button:focus-visible{outline:3px solid var(--focus);outline-offset:-3px}
svg{display:block;width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round}
iframe{display:block;width:100%;height:100%;border:0}
@keyframes in{from{transform:translateX(48px);opacity:0}}
@media (prefers-reduced-motion:reduce){dialog{animation:none}}
`;

/** A page's own colour scheme takes precedence over the system's, since it may have a switch. */
function isDark(theme: CheckOptions['theme'] = 'auto'): boolean {
  if (theme !== 'auto') return theme === 'dark';
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const [dark, light] = [scheme.includes('dark'), scheme.includes('light')];
  return dark === light ? matchMedia('(prefers-color-scheme: dark)').matches : dark;
}

export type DrawerOptions = {
  theme: CheckOptions['theme'];
  /** The person wants to close it. */
  onClose: () => void;
};

/**
 * A modal drawer over the page. The rest is inert while it is open; Escape and a click outside close it, and the focus
 * returns to where it was. Its own × is there until the page inside shows one, so that a page that never loads can be
 * closed as well.
 */
export function openDrawer(url: string, labels: Labels, { theme, onClose }: DrawerOptions): View {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const styles = new CSSStyleSheet();
  styles.replaceSync(DRAWER_CSS);
  root.adoptedStyleSheets = [styles];

  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-modal', 'true');
  if (isDark(theme)) dialog.classList.add('dark');
  const button = document.createElement('button');
  button.type = 'button';
  button.append(crossIcon());
  const frame = frameOf(url, labels);
  if (theme === 'light' || theme === 'dark') frame.style.colorScheme = theme;
  const say = ({ view, close }: Labels) => {
    dialog.setAttribute('aria-label', view);
    button.setAttribute('aria-label', close);
    frame.title = view;
  };
  say(labels);
  dialog.append(frame, button);
  root.append(dialog);
  document.body.append(host);

  button.addEventListener('click', onClose);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onClose();
  });
  // Everything inside the drawer is the frame or the button, so a click on the dialog itself is outside them.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) onClose();
  });
  const { overflow } = document.documentElement.style;
  document.documentElement.style.overflow = 'hidden';
  dialog.showModal();
  return {
    frame,
    ready() {
      button.hidden = true;
      frame.focus();
    },
    resize: () => undefined,
    relabel: say,
    offer: (href, words) => frame.replaceWith(offerOf(href, words)),
    isShown: () => host.isConnected,
    remove() {
      dialog.close();
      host.remove();
      document.documentElement.style.overflow = overflow;
    },
  };
}

const OFFER_CSS = `
section{box-sizing:border-box;min-height:100%;padding:64px 24px 24px;font:16px/1.5 system-ui,sans-serif}
h2{margin:0 0 8px;font-size:22px;line-height:1.3}
p{margin:0 0 24px}
a{display:inline-block;padding:12px 20px;border-radius:12px;background:#0b5c5e;color:#fff;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid currentColor;outline-offset:3px}
`;

/** Where the browser keeps the frame from the network of the service. */
function offerOf(href: string, { elsewhere, elsewhereText, open }: Labels): Element {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const styles = new CSSStyleSheet();
  styles.replaceSync(OFFER_CSS);
  root.adoptedStyleSheets = [styles];
  const section = document.createElement('section');
  const [title, text, link] = [
    document.createElement('h2'),
    document.createElement('p'),
    document.createElement('a'),
  ];
  section.setAttribute('role', 'alert');
  title.textContent = elsewhere;
  text.textContent = elsewhereText;
  link.textContent = open;
  link.href = href;
  section.append(title, text, link);
  root.append(section);
  return host;
}

function crossIcon(): SVGElement {
  const svgNamespace = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(svgNamespace, 'svg');
  const path = document.createElementNS(svgNamespace, 'path');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', 'M6 6l12 12M18 6L6 18');
  icon.append(path);
  return icon;
}
