/** Width and height of each page, in points. */
export const pagesOf = (pdf: Buffer): number[][] =>
  [...pdf.toString('latin1').matchAll(/\/MediaBox\s*\[([\d. ]+)\]/g)].map(([, box = '']) =>
    box.trim().split(/\s+/).slice(2).map(Number),
  );
