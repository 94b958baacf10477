/** A camera that shows a QR code. */
import type { Page } from '@playwright/test';
import { encodeQR } from 'qr';

/** Call before `page.goto`; a later call replaces the code from the next load on. */
export async function showCode(page: Page, text: string): Promise<void> {
  const svg = encodeQR(text, 'svg', { ecc: 'medium', border: 4 });
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.addInitScript(holdUp, picture);
}

/** Runs in the page as an init script, so it may use nothing outside its own function. */
function holdUp(picture: string): void {
  if (!('mediaDevices' in navigator)) return;
  navigator.mediaDevices.getUserMedia = async () => {
    const image = new Image();
    image.src = picture;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 480;
    const drawing = canvas.getContext('2d');
    const draw = () => {
      if (drawing === null) return;
      drawing.fillStyle = '#777777';
      drawing.fillRect(0, 0, canvas.width, canvas.height);
      drawing.drawImage(image, 170, 90, 300, 300);
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
