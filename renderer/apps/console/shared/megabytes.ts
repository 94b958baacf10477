const BYTES_PER_MEGABYTE = 1_000_000;

/** A size in the language's unit: “12.3 MB”, in French “12,3 Mo”. */
export const megabytes = (bytes: number, language: string): string =>
  (bytes / BYTES_PER_MEGABYTE).toLocaleString(language, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  });
