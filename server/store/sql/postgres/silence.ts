/**
 * Connections on which PostgreSQL no longer answers although they look open: its machine is gone, a standby hangs, or
 * the network drops packets without a word. The kernel would wait a quarter of an hour for each.
 */

/** A connection as this file sees it. */
export type Line = {
  /** Bytes that have arrived. */
  received: () => number;
  /** Ends the connection at once, without a farewell. Its statement fails with this error. */
  cut: (error: Error) => void;
};

/** The driver's code for a connection that timed out, so the error counts as a lost connection. */
export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('PostgreSQL has not answered in time.');
    this.name = 'NoAnswer';
  }
}

const TICK_MS = 1_000;
/** A statement without a byte of its answer for this long is asked about, then again after the same time. */
const SILENT_TICKS = 3;

type Statement = { received: number; silentTicks: number };

export type Silence = {
  /** Follows a statement on a line until its answer is there. */
  during: <T>(line: Line, answer: Promise<T>) => Promise<T>;
};

/**
 * A statement may take long, so a silent one is cut only if the server is not working on it. Time is counted in turns of
 * this process: one that was stopped or busy reads what has arrived before it judges.
 * @param atWork asked over a new connection. Returns the lines that the server works on; rejects if it can't be reached
 */
export function watchSilence(
  atWork: (lines: readonly Line[], silentTicks: number) => Promise<ReadonlySet<Line>>,
): Silence {
  const statements = new Map<Line, Statement>();
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const due = new Map<number, Line[]>();
    for (const [line, statement] of statements) {
      const received = line.received();
      statement.silentTicks = received === statement.received ? statement.silentTicks + 1 : 0;
      statement.received = received;
      if (statement.silentTicks === 0 || statement.silentTicks % SILENT_TICKS > 0) continue;
      due.set(statement.silentTicks, [...(due.get(statement.silentTicks) ?? []), line]);
    }
    for (const [silentTicks, lines] of due) void judge(lines, silentTicks);
  }

  async function judge(lines: readonly Line[], silentTicks: number): Promise<void> {
    const before = new Map(lines.map((line) => [line, statements.get(line)]));
    const working = await atWork(lines, silentTicks).catch(() => new Set<Line>());
    for (const [line, statement] of before) {
      const isSame = statement !== undefined && statements.get(line) === statement;
      if (isSame && !working.has(line) && line.received() === statement.received) line.cut(new NoAnswer());
    }
  }

  return {
    async during(line, answer) {
      const statement = { received: line.received(), silentTicks: 0 };
      statements.set(line, statement);
      timer ??= setInterval(tick, TICK_MS).unref();
      try {
        return await answer;
      } finally {
        if (statements.get(line) === statement) statements.delete(line);
        if (statements.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      }
    },
  };
}

/** For a statement that is never slow: cuts the line if the answer takes longer. */
export async function within<T>(line: Line, limitMs: number, answer: Promise<T>): Promise<T> {
  let isOver = false;
  // After a turn that reads what has arrived, because a busy process may be the late one.
  const late = setTimeout(() => {
    setImmediate(() => {
      if (!isOver) line.cut(new NoAnswer());
    });
  }, limitMs);
  try {
    return await answer;
  } finally {
    isOver = true;
    clearTimeout(late);
  }
}
