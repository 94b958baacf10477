import { expect, it } from 'vitest';
import { markdownOf } from './markdown.ts';

it('a paper is written as Markdown, and no name in it gives orders to a terminal', () => {
  const text = markdownOf({
    organiser: 'Blue \u001b[31mRoom',
    written_at: '2030-05-15T18:00:00Z',
    paper: {
      title: 'Record',
      article: 'Article 30',
      notice: 'Not enough to be lawful.',
      to_answer: 'To be answered by you',
      sections: [
        {
          id: 'who',
          title: 'Who',
          rows: [{ id: 'controller', title: 'Controller', lines: ['Blue Room'], question: 'Where?' }],
        },
      ],
    },
  });
  expect(text.split('\n\n')).toEqual([
    '# Record',
    'Blue \\u001b[31mRoom · Article 30 · 2030-05-15T18:00:00Z',
    '> Not enough to be lawful.',
    '## Who',
    '### Controller',
    'Blue Room',
    '**To be answered by you** Where?\n',
  ]);
});
