/**
 * `npm run icons`: draws the app's icons from `assets/icons/gatehouse.svg`, in the sizes and formats of each desktop.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { PROJECT_ROOT } from './assets/paths.ts';
import { icnsOf, icoOf, type Picture } from './packaging/icon-files.ts';

/** Separate files for Linux. */
const LINUX_PX = [16, 32, 48, 64, 128, 256, 512];
const WINDOWS_PX = [16, 32, 48, 64, 128, 256];
const MACOS_PX = [32, 64, 128, 256, 512, 1024];
const FOLDER = path.join(PROJECT_ROOT, 'assets/icons');
/** An SVG at its own size. */
const BASE_DPI = 72;
const DRAWN_PX = 512;

const drawing = await readFile(path.join(FOLDER, 'gatehouse.svg'));

async function picture(sizePx: number): Promise<Picture> {
  const png = await sharp(drawing, { density: (BASE_DPI * sizePx) / DRAWN_PX })
    .resize(sizePx, sizePx)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
  return { sizePx, png };
}
const pictures = (sizesPx: readonly number[]) => Promise.all(sizesPx.map(picture));

for (const { sizePx, png } of await pictures(LINUX_PX)) {
  await writeFile(path.join(FOLDER, `${sizePx}x${sizePx}.png`), png);
}
await writeFile(path.join(FOLDER, 'icon.ico'), icoOf(await pictures(WINDOWS_PX)));
await writeFile(path.join(FOLDER, 'icon.icns'), icnsOf(await pictures(MACOS_PX)));
