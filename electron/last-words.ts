/** Keeps the last thing that the server said for people: what the window shows when it is gone. */
import { createInterface } from 'node:readline';

/** How the command line marks its own sentences among the log's JSON lines. */
const MARK = 'gatehouse: ';

/** Reads a process's stderr to its end, passes it on, and remembers. */
export function rememberLastMessage(
  stream: NodeJS.ReadableStream,
  passOn: (line: string) => void,
): () => string | null {
  let message: string | null = null;
  createInterface({ input: stream }).on('line', (line) => {
    if (line.startsWith(MARK)) message = line.slice(MARK.length);
    passOn(line);
  });
  return () => message;
}
