/** Where an embedded check is shown. Styles are set so that the page's own styles and content policy do not matter. */
import type { Labels } from './labels.ts';

export type View = {
  frame: HTMLIFrameElement;
  /** Content height in CSS pixels, as the frame reports it. */
  resize: (height: number) => void;
  /** Its words, in the language that the frame turned out to speak. */
  relabel: (labels: Labels) => void;
  remove: () => void;
};

/** Until the frame says how high it is. */
const FIRST_HEIGHT_PX = 560;

function frameOf(url: string, { view }: Labels): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.allow = 'camera';
  frame.title = view;
  frame.src = url;
  return frame;
}

/** A place in the page, as high as what it shows. */
export function openInline(url: string, labels: Labels, container: Element): View {
  const frame = frameOf(url, labels);
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: `${FIRST_HEIGHT_PX}px`,
    border: '0',
    borderRadius: '16px',
  });
  container.append(frame);
  return {
    frame,
    resize: (height) => {
      frame.style.height = `${height}px`;
    },
    relabel: ({ view }) => {
      frame.title = view;
    },
    remove: () => frame.remove(),
  };
}

const DRAWER_CSS = `
dialog{position:fixed;inset:0 0 0 auto;display:flex;flex-direction:column;box-sizing:border-box;width:min(100vw,460px);
height:100vh;height:100dvh;max-width:none;max-height:none;margin:0;padding:0;border:0;background:#f7f5f2;color:#24211d;
box-shadow:0 0 48px rgb(0 0 0/25%);animation:in 180ms ease-out}
dialog::backdrop{background:rgb(20 18 16/50%)}
button{align-self:flex-end;flex:none;width:48px;height:48px;margin:4px;padding:12px;border:0;border-radius:12px;
background:none;color:inherit;cursor:pointer}
button:hover{background:rgb(127 120 110/20%)}
button:focus-visible{outline:3px solid #0b5c5e;outline-offset:-3px}
svg{display:block;width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round}
iframe{flex:1;width:100%;min-height:0;border:0}
@keyframes in{from{transform:translateX(48px);opacity:0}}
@media (prefers-color-scheme:dark){dialog{background:#191715;color:#f3efea}button:focus-visible{outline-color:#8ed8d4}}
@media (prefers-reduced-motion:reduce){dialog{animation:none}}
`;

/**
 * A modal drawer over the page: the rest is inert while it is open, Escape and the button close it, and the focus goes
 * back to where it was. @param onClose the person wants it closed
 */
export function openDrawer(url: string, labels: Labels, onClose: () => void): View {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const styles = new CSSStyleSheet();
  styles.replaceSync(DRAWER_CSS);
  root.adoptedStyleSheets = [styles];

  const dialog = document.createElement('dialog');
  dialog.ariaModal = 'true';
  const button = document.createElement('button');
  button.type = 'button';
  button.append(crossIcon());
  const frame = frameOf(url, labels);
  const say = ({ view, close }: Labels) => {
    dialog.ariaLabel = view;
    button.ariaLabel = close;
    frame.title = view;
  };
  say(labels);
  dialog.append(button, frame);
  root.append(dialog);
  document.body.append(host);

  button.addEventListener('click', onClose);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onClose();
  });
  // The keyboard starts in the check; the button comes before it.
  frame.addEventListener('load', () => frame.focus());
  const { overflow } = document.documentElement.style;
  document.documentElement.style.overflow = 'hidden';
  dialog.showModal();
  return {
    frame,
    resize: () => undefined,
    relabel: say,
    remove() {
      dialog.close();
      host.remove();
      document.documentElement.style.overflow = overflow;
    },
  };
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
