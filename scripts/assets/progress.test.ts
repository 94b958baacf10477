import { describe, expect, it } from 'vitest';
import { progressOn, type AssetEvent } from './progress.ts';

function tell(isTTY: boolean, events: readonly AssetEvent[]): string {
  let text = '';
  const onProgress = progressOn({ isTTY, write: (part) => (text += part) });
  for (const event of events) onProgress(event);
  return text;
}

const download = (receivedBytes: number): AssetEvent => ({
  type: 'downloading',
  package: 'p@1',
  receivedBytes,
  totalBytes: 4_000_000,
});

describe('progress of assets', () => {
  it('writes a line per quarter into a log', () => {
    const text = tell(false, [download(0), download(500_000), download(1_000_000), download(4_000_000)]);
    expect(text).toBe(
      'Fetching p@1: 0.0 of 4.0 MB (0 %)\nFetching p@1: 1.0 of 4.0 MB (25 %)\nFetching p@1: 4.0 of 4.0 MB (100 %)\n',
    );
  });

  it('rewrites one line on a terminal, and ends it before the next message', () => {
    const text = tell(true, [download(0), download(4_000_000), { type: 'made', file: 'f' }]);
    expect(text).toBe(
      '\r\u001b[2KFetching p@1: 0.0 of 4.0 MB (0 %)\r\u001b[2KFetching p@1: 4.0 of 4.0 MB (100 %)\nf is ready.\n',
    );
  });
});
