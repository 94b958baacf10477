/**
 * Catalogues that a build includes in a script in every language: only texts without arguments, which need no formatter.
 * @param files by path, as `import.meta.glob` returns them; a path ends in `<language>/<name>.json`
 */
export const byLanguage = <Messages>(files: Readonly<Record<string, Messages>>): Record<string, Messages> =>
  Object.fromEntries(
    Object.entries(files).map(([path, messages]) => [path.split('/').at(-2) ?? '', messages] as const),
  );
