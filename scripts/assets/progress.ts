/** Events while assets are prepared, and how they are shown on a terminal or in a log. */
export type AssetEvent =
  | { type: 'waiting' }
  | { type: 'damaged'; file: string }
  | { type: 'downloading'; package: string; receivedBytes: number; totalBytes: number | null }
  | { type: 'retrying'; package: string; reason: string }
  | { type: 'made'; file: string };

export type OnProgress = (event: AssetEvent) => void;

/** The required interface of a stream; `process.stderr` has it. */
type ProgressStream = { isTTY?: boolean; write(text: string): unknown };

const MEGABYTE = 1_000_000;

/** A terminal gets one line that is rewritten; a log gets a line per quarter. */
export function progressOn(stream: ProgressStream): OnProgress {
  const rewrite = stream.isTTY === true;
  let openLine = false;
  let reported = '';
  const line = (text: string) => {
    stream.write(openLine ? `\n${text}\n` : `${text}\n`);
    openLine = false;
  };
  return (event) => {
    if (event.type !== 'downloading') {
      line(describe(event));
      return;
    }
    const text = describe(event);
    if (rewrite) {
      stream.write(`\r\u001b[2K${text}`);
      openLine = true;
      return;
    }
    const mark = `${event.package} ${quarter(event.receivedBytes, event.totalBytes)}`;
    if (mark === reported) return;
    reported = mark;
    line(text);
  };
}

function describe(event: AssetEvent): string {
  switch (event.type) {
    case 'waiting':
      return 'Waiting for another process that is fetching the same files …';
    case 'damaged':
      return `${event.file} is damaged and will be fetched again.`;
    case 'downloading':
      return `Fetching ${event.package}: ${amount(event.receivedBytes, event.totalBytes)}`;
    case 'retrying':
      return `${event.package}: ${event.reason}; trying again.`;
    case 'made':
      return `${event.file} is ready.`;
  }
}

function amount(received: number, total: number | null): string {
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  if (total === null) return `${megabytes(received)} MB`;
  return `${megabytes(received)} of ${megabytes(total)} MB (${Math.floor((100 * received) / total)} %)`;
}

function quarter(received: number, total: number | null): number {
  return total === null || total === 0 ? 0 : Math.floor((4 * received) / total);
}
