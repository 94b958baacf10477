import { expect, test } from 'vitest';
import { BADGE_TEMPLATE } from './badges.ts';

test.each([
  '<h1>{name}</h1>',
  'Guest of <em>Ada & Co</em><br>{kind}',
  '<p>Line\nline</p><hr><small>{order}</small>',
])('a template may have text, a few elements and fields: %j', (template) => {
  expect(template).toMatch(BADGE_TEMPLATE);
});

test.each(['', '<script>', '<h1 onclick="x">', '<img src=x>', '{code}', '{', '<', '<br/>', '</br>', '<H1>'])(
  'a template may have nothing else: %j',
  (template) => {
    expect(template).not.toMatch(BADGE_TEMPLATE);
  },
);
