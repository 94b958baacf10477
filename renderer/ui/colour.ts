/** Colours as numbers. */

/** sRGB, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Only `#rrggbb`; null for anything else. */
export function rgbOf(hex: string): Rgb | null {
  const found = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex.trim());
  const [red, green, blue] = (found?.slice(1) ?? []).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue];
}

/** @param share of the way, 0 to 1; clamped */
export function between(from: Rgb, to: Rgb, share: number): Rgb {
  const part = Math.min(1, Math.max(0, share));
  const mix = (start: number, end: number) => Math.round(start + part * (end - start));
  return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])];
}

/** WCAG's relative luminance, 0 to 1. */
export function relativeLuminance(rgb: Rgb): number {
  const linear = (value: number) => {
    const encoded = value / 255;
    return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}
