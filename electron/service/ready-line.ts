/** The lines with addresses that `gatehouse serve` prints on stdout, and how to find them in a stream. */
import { createInterface } from 'node:readline';

/** Origins without a trailing slash. */
export type ServerAddresses = { baseUrl: string; connectUrl: string; consoleUrl: string };

/** The addresses in a line of a server that is ready or whose base URL has changed; null for any other line. */
export function parseAddresses(line: string): ServerAddresses | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { event, base_url, connect_url, console_url } = value as Record<string, unknown>;
  if (event !== 'ready' && event !== 'moved') return null;
  if (typeof base_url !== 'string' || typeof connect_url !== 'string' || typeof console_url !== 'string') {
    return null;
  }
  return { baseUrl: base_url, connectUrl: connect_url, consoleUrl: console_url };
}

/** Calls back with each line of a stream that has addresses. Keeps reading, so that the writer never blocks. */
export function onAddresses(
  stream: NodeJS.ReadableStream,
  found: (addresses: ServerAddresses) => void,
): void {
  createInterface({ input: stream }).on('line', (line) => {
    const addresses = parseAddresses(line);
    if (addresses) found(addresses);
  });
}

/** Calls back once, when the server is ready. */
export function onReadyLine(
  stream: NodeJS.ReadableStream,
  ready: (addresses: ServerAddresses) => void,
): void {
  let isReady = false;
  onAddresses(stream, (addresses) => {
    if (!isReady) ready(addresses);
    isReady = true;
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
