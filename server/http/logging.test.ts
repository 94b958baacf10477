import { afterEach, expect, it, vi } from 'vitest';
import { createLogger } from './logging.ts';

afterEach(() => vi.useRealTimers());

function logged() {
  const lines: Record<string, unknown>[] = [];
  const raw: string[] = [];
  const logger = createLogger('info', {
    write: (line: string) => {
      raw.push(line);
      lines.push(JSON.parse(line) as Record<string, unknown>);
      return true;
    },
  });
  return { logger, lines, raw };
}

it('of a message that anybody can cause, 60 lines a minute are written and the rest is counted', () => {
  vi.useFakeTimers();
  const { logger, lines } = logged();
  for (let n = 0; n < 1_000; n += 1) logger.error({ err: new Error('x') }, 'request failed');
  logger.info('something else');
  expect(lines).toHaveLength(61);
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toMatchObject({ message: 'request failed', more: 940 });
  logger.error('request failed');
  expect(lines).toHaveLength(63);
});

it('a child of a request counts with the others', () => {
  const { logger, lines } = logged();
  for (let n = 0; n < 100; n += 1) logger.child({ reqId: n }).warn({ n }, 'page error');
  expect(lines).toHaveLength(60);
});

it('many different messages are bounded as well', () => {
  const { logger, lines } = logged();
  for (let n = 0; n < 2_000; n += 1) logger.info(`message ${n}`);
  expect(lines.length).toBeLessThanOrEqual(560);
});

it('a line is bounded in length and stays JSON', () => {
  const { logger, lines, raw } = logged();
  logger.warn({ text: '"'.repeat(100_000) }, 'page error');
  expect(lines[0]).toMatchObject({ msg: 'page error' });
  expect(raw[0]?.length).toBeLessThan(40_000);
});

it('control characters and direction marks do not reach the terminal', () => {
  const { logger, raw } = logged();
  logger.warn({ text: '\u009b2J\u007f\u202e\u001b[2J\n' }, 'page error');
  const isUnseen = (code: number) =>
    (code < 32 && code !== 10) || (code > 126 && code < 160) || code === 0x202e;
  expect(Array.from(raw[0] ?? '', (character) => character.charCodeAt(0)).filter(isUnseen)).toEqual([]);
  expect(raw[0]?.match(/\n/g)).toHaveLength(1);
});
