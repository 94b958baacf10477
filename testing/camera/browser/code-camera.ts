/** A camera that shows codes. */
import type { Page } from '@playwright/test';
import * as bwip from 'bwip-js/node';
import { encodeQR } from 'qr';

/** A code in the picture of 640 × 480 pixels. */
export type HeldCode = {
  text: string;
  left: number;
  top: number;
  side: number;
  mirrored?: boolean;
  kind?: CodeKind;
};

/** As wallets and printers draw them. */
export type CodeKind = 'qrcode' | 'azteccode' | 'pdf417' | 'code128';

type DrawnCode = Omit<HeldCode, 'text' | 'kind'> & { picture: string };

declare global {
  interface Window {
    __codes?: { add: (code: HeldCode) => Promise<void> };
  }
}

/** Call before `page.goto`; a later call replaces the code from the next load on. */
export const showCode = (page: Page, text: string): Promise<void> =>
  showCodes(page, [{ text, left: 170, top: 90, side: 300 }]);

/** Like `showCode`, with several; `window.__codes.add` holds up another one. */
export async function showCodes(page: Page, codes: readonly HeldCode[]): Promise<void> {
  const pictureOf = (text: string, kind: CodeKind = 'qrcode') => {
    const svg =
      kind === 'qrcode'
        ? encodeQR(text, 'svg', { ecc: 'medium', border: 4 })
        : bwip.toSVG({ bcid: kind, text, scale: 3, padding: 8, backgroundcolor: 'FFFFFF' });
    return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  };
  await page.exposeFunction('__codePicture', pictureOf).catch(() => undefined);
  const drawn = codes.map(({ text, kind, ...place }): DrawnCode => ({
    ...place,
    picture: pictureOf(text, kind),
  }));
  await page.addInitScript(holdUp, drawn);
}

/** Runs in the page as an init script, so it may use nothing outside its own function. */
function holdUp(codes: DrawnCode[]): void {
  if (!('mediaDevices' in navigator)) return;
  const shown: (Omit<DrawnCode, 'picture'> & { image: HTMLImageElement })[] = [];
  const add = async ({ picture, ...place }: DrawnCode) => {
    const image = new Image();
    image.src = picture;
    await image.decode();
    shown.push({ ...place, image });
  };
  window.__codes = {
    add: async ({ text, ...place }) => {
      const { __codePicture } = window as unknown as { __codePicture: (text: string) => Promise<string> };
      await add({ ...place, picture: await __codePicture(text) });
    },
  };
  navigator.mediaDevices.getUserMedia = async () => {
    shown.length = 0;
    for (const code of codes) await add(code);
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 480;
    const drawing = canvas.getContext('2d');
    const draw = () => {
      if (drawing === null) return;
      drawing.fillStyle = '#777777';
      drawing.fillRect(0, 0, canvas.width, canvas.height);
      for (const { image, left, top, side, mirrored } of shown) {
        drawing.setTransform(mirrored === true ? -1 : 1, 0, 0, 1, mirrored === true ? 2 * left + side : 0, 0);
        // As wide as it is asked to be, in its own shape.
        drawing.drawImage(image, left, top, side, (side * image.height) / image.width);
        drawing.resetTransform();
      }
    };
    draw();
    setInterval(draw, 100);
    return canvas.captureStream(15);
  };
  navigator.mediaDevices.enumerateDevices = async () => {
    const device = { deviceId: 'held', groupId: 'held', kind: 'videoinput', label: 'Held' };
    return [{ ...device, toJSON: () => device } as MediaDeviceInfo];
  };
}
