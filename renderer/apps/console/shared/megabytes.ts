const BYTES_PER_MEGABYTE = 1_000_000;
const BYTES_PER_GIGABYTE = 1_000_000_000;
/** From here on, nobody reads megabytes. */
const LARGE_BYTES = 10 * BYTES_PER_GIGABYTE;

/** A size in the language's unit: “12.3 MB”, in French “12,3 Mo”; from 10 GB in gigabytes. */
export const megabytes = (bytes: number, language: string): string =>
  (bytes / (bytes < LARGE_BYTES ? BYTES_PER_MEGABYTE : BYTES_PER_GIGABYTE)).toLocaleString(language, {
    style: 'unit',
    unit: bytes < LARGE_BYTES ? 'megabyte' : 'gigabyte',
    maximumFractionDigits: 1,
  });
