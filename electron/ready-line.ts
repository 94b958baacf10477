/** The line that `gatehouse serve` prints on stdout when it listens, and how to find it in a stream. */
import { createInterface } from 'node:readline';

/** Origins without a trailing slash. */
export type ServerAddresses = { baseUrl: string; connectUrl: string; consoleUrl: string };

/** The addresses in a ready line; null for any other line. */
export function parseReadyLine(line: string): ServerAddresses | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { event, base_url, connect_url, console_url } = value as Record<string, unknown>;
  if (event !== 'ready') return null;
  if (typeof base_url !== 'string' || typeof connect_url !== 'string' || typeof console_url !== 'string') {
    return null;
  }
  return { baseUrl: base_url, connectUrl: connect_url, consoleUrl: console_url };
}

/** Calls back once with the first ready line of a stream. Keeps reading, so that the writer never blocks. */
export function onReadyLine(
  stream: NodeJS.ReadableStream,
  ready: (addresses: ServerAddresses) => void,
): void {
  let found = false;
  createInterface({ input: stream }).on('line', (line) => {
    const addresses = found ? null : parseReadyLine(line);
    if (!addresses) return;
    found = true;
    ready(addresses);
  });
}

/** Progress of the server's start, from the log lines about the first thread of the face engine. */
const START_STAGES = ['loaded', 'opened'] as const;
export type StartStage = (typeof START_STAGES)[number];

/** The stage in a line of the server's log; null for any other line. */
export function startStageIn(line: string): StartStage | null {
  if (!line.includes('worker_starting')) return null;
  try {
    const { face_engine: event } = JSON.parse(line) as { face_engine?: { stage?: unknown } };
    return START_STAGES.find((stage) => stage === event?.stage) ?? null;
  } catch {
    return null;
  }
}
