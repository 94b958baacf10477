/** A plate behind a logo that would be barely visible on one of the pages' grounds. */
import sharp from 'sharp';
import { linearLight } from '../../domain/capture/attack/linear-light.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** `--ground` of the light and of the dark theme (`renderer/ui/tokens.css`), so that there the plate is not seen. */
const GROUNDS: readonly Rgb[] = [
  [247, 245, 242],
  [25, 23, 21],
];
/** WCAG exempts logos, whose colours are the venue's own. Below this contrast they are barely visible. */
const HARDLY_SEEN = 2;
/** Share of the outline below that contrast. */
const LEAST_SHARE = 0.25;
/** The outline does not need every pixel. */
const MEASURED_PX = 240;
const OPAQUE = 128;
/** Of the height. */
const PADDING = 0.12;
const RADIUS = 0.2;

const luminanceOf = ([red, green, blue]: Rgb): number =>
  0.2126 * linearLight(red / 255) + 0.7152 * linearLight(green / 255) + 0.0722 * linearLight(blue / 255);

/** WCAG's contrast ratio, 1 to 21. */
function contrastOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Luminances of the pixels at the logo's outline: inside it, other colours are seen against each other. */
async function outlineOf(image: Buffer): Promise<number[]> {
  const { data, info } = await sharp(image)
    .resize({ width: MEASURED_PX, height: MEASURED_PX, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isSeen = (x: number, y: number) => (data[(y * width + x) * 4 + 3] ?? 0) >= OPAQUE;
  const found: number[] = [];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const isInside = isSeen(x - 1, y) && isSeen(x + 1, y) && isSeen(x, y - 1) && isSeen(x, y + 1);
      if (!isSeen(x, y) || isInside) continue;
      const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4);
      found.push(luminanceOf([red, green, blue]));
    }
  }
  return found;
}

/**
 * The logo on a plate with rounded corners in the ground on which more of its outline is seen; itself if it is seen on both
 * or has no transparent parts.
 * @param image a decoded format; the result is a PNG
 */
export async function onPlate(image: Buffer): Promise<Buffer> {
  const outline = await outlineOf(image);
  const unseen = GROUNDS.map((ground) => {
    const luminance = luminanceOf(ground);
    return outline.filter((own) => contrastOf(own, luminance) < HARDLY_SEEN).length;
  });
  if (Math.max(...unseen) <= LEAST_SHARE * outline.length) return image;
  const ground = GROUNDS[unseen.indexOf(Math.min(...unseen))] ?? [0, 0, 0];
  const { width, height } = await sharp(image).metadata();
  const padding = Math.round(PADDING * height);
  const plate = { width: width + 2 * padding, height: height + 2 * padding };
  const shape = `<svg width="${plate.width}" height="${plate.height}"><rect width="100%" height="100%" rx="${RADIUS * height}" fill="rgb(${ground.join()})"/></svg>`;
  return sharp(Buffer.from(shape))
    .composite([{ input: image, left: padding, top: padding }])
    .png()
    .toBuffer();
}
