/** Keeps the last thing that the server said for people: what the window shows when it is gone. */
import { createInterface } from 'node:readline';

/** How the command line marks its own sentences among the log's JSON lines. */
const MARK = 'gatehouse: ';

/** Reads a process's stderr to its end, passes it on, and remembers. */
export function rememberLastWords(
  stream: NodeJS.ReadableStream,
  passOn: (line: string) => void,
): () => string | null {
  let words: string | null = null;
  createInterface({ input: stream }).on('line', (line) => {
    if (line.startsWith(MARK)) words = line.slice(MARK.length);
    passOn(line);
  });
  return () => words;
}
