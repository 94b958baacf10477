/** `npm run icons`: draws the app's icons out of `assets/icons/gatehouse.svg`, in the sizes that desktops ask for. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { PROJECT_ROOT } from './assets/paths.ts';

/** 512 is what the packager makes the Windows and macOS formats of. */
const SIZES_PX = [16, 32, 48, 64, 128, 256, 512];
const FOLDER = path.join(PROJECT_ROOT, 'assets/icons');
/** Of an SVG at its own size. */
const BASE_DPI = 72;
const DRAWN_PX = 512;

const drawing = await readFile(path.join(FOLDER, 'gatehouse.svg'));
for (const size of SIZES_PX) {
  const png = await sharp(drawing, { density: (BASE_DPI * size) / DRAWN_PX })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
  await writeFile(path.join(FOLDER, `${size}x${size}.png`), png);
}
