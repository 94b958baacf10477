/** What two versions of one paper say differently, in words: was, is. */
import type { Paper, PaperDifference, PaperRow } from '../../contract/console/papers.ts';

/** Both in the same language, so that only the facts can differ. In the order of the later one; what is gone comes last. */
export function differencesOf(before: Paper, after: Paper): PaperDifference[] {
  const earlier = rowsOf(before);
  const later = rowsOf(after);
  const of = (key: string): PaperDifference[] => {
    const [old, now] = [earlier.get(key), later.get(key)];
    const [were, are] = [textsOf(old), textsOf(now)];
    const was = were.filter((text) => !are.includes(text));
    const is = are.filter((text) => !were.includes(text));
    if (was.length + is.length === 0) return [];
    return [{ section: (now ?? old)?.section ?? '', title: (now ?? old)?.row.title ?? '', was, is }];
  };
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap(of);
}

type Placed = { section: string; row: PaperRow };

const rowsOf = ({ sections }: Paper): Map<string, Placed> =>
  new Map(
    sections.flatMap(({ id, title, rows }) =>
      rows.map((row) => [`${id}.${row.id}`, { section: title, row }] as const),
    ),
  );

/** The title, too: an event may have been renamed. */
const textsOf = (placed: Placed | undefined): string[] =>
  placed === undefined
    ? []
    : [placed.row.title, ...placed.row.lines, ...(placed.row.question === null ? [] : [placed.row.question])];
