import { expect, test } from 'vitest';
import { messagesOf } from '../../../../locales/node.ts';
import { detailsOf } from './Timeline.tsx';

test('findings with the same words are one line', () => {
  const details = { findings: ['self_mismatch', 'not_one_person'] };
  const lines = detailsOf(
    { kind: 'attempt_failed', by: null, details },
    messagesOf('sessions', 'en'),
    messagesOf('outcomes', 'en'),
  );
  expect(lines).toHaveLength(1);
});
