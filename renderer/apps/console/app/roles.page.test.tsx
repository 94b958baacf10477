import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openConsole } from '../console.fixture.tsx';
import { PAGES } from './pages.ts';

const linked = async (): Promise<string[]> => {
  const navigation = within(await screen.findByRole('navigation', { name: 'Pages' }));
  return navigation.getAllByRole('link').map((link) => link.getAttribute('href')?.split('?')[0] ?? '');
};

test.each([
  ['staff', ['/door', '/events', '/sessions']],
  ['reviewer', ['/door', '/events', '/reviews', '/sessions', '/people']],
  ['admin', PAGES.filter(({ group }) => group !== null).map(({ path }) => path)],
] as const)('navigation shows what %s may see', async (role, pages) => {
  await openConsole('/sessions', [], { role });
  expect(await linked()).toEqual(pages);
});
