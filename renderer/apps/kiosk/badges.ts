/** Prints the badges that wait for this kiosk: each is taken once, so none is printed twice unasked. */
import type { BadgeFailure } from '../../../server/contract/badges.ts';
import type { KioskBadge } from '../../../server/contract/kiosk-badges.ts';
import { KIOSK_TOKEN_HEADER } from '../../../server/contract/kiosk.ts';
import { kioskBadges } from '../../../server/contract/routes/kiosk-badges.ts';
import { createClient } from '../../http/client.ts';
import { badgeOf, fitBadge } from '../../ui/badge.ts';
import { kioskDesktop } from './device/desktop.ts';

const ANSWER_WITHIN_MS = 8_000;
/** A browser's dialog that nobody answers. The paper then leaves the page. */
const DIALOG_MS = 60_000;
const MICRONS = 1_000;

let isPrinting = false;

/** Until none waits. After a failure the next orders begin again. @param token the device's current token */
export function printBadges(send: typeof fetch, token: () => string | null): void {
  if (isPrinting) return;
  isPrinting = true;
  const { call } = createClient({
    fetch: send,
    credentials: 'omit',
    headers: () => ({ [KIOSK_TOKEN_HEADER]: token() ?? '' }),
  });
  const soon = () => AbortSignal.timeout(ANSWER_WITHIN_MS);
  const printAll = async () => {
    for (;;) {
      const { badge } = await call(kioskBadges.take, { signal: soon() });
      if (badge === null) return;
      await print(badge, async (failure) => {
        const body = { badge_id: badge.badge_id, ...(failure !== null && { failure }) };
        // What the server is not told stays "taken", which staff see.
        await call(kioskBadges.end, { body, signal: soon() }).catch(() => undefined);
      });
    }
  };
  printAll()
    .catch(() => undefined)
    .finally(() => {
      isPrinting = false;
    });
}

async function print(
  { template, width_mm: widthMm, height_mm: heightMm, values }: KioskBadge,
  report: (failure: BadgeFailure | null) => Promise<unknown>,
): Promise<void> {
  const paper = badgeOf({ template, widthMm, heightMm, values });
  paper.classList.add('badge--print');
  paper.setAttribute('aria-hidden', 'true');
  const page = new CSSStyleSheet();
  page.replaceSync(`@page { size: ${widthMm}mm ${heightMm}mm; margin: 0 }`);
  document.adoptedStyleSheets.push(page);
  document.body.append(paper);
  try {
    await document.fonts.ready;
    fitBadge(paper);
    const desktop = kioskDesktop();
    if (desktop !== null) {
      const size = { width: widthMm * MICRONS, height: heightMm * MICRONS };
      await report(desktop.print === undefined ? 'no_printer' : await desktop.print(size));
      return;
    }
    const printed = new Promise((resolve) => {
      addEventListener('afterprint', resolve, { once: true });
      setTimeout(resolve, DIALOG_MS);
    });
    window.print();
    await report(null);
    await printed;
  } finally {
    paper.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== page);
  }
}
