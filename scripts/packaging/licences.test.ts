import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { LICENCES_FILE, thirdPartyLicences } from './licences.ts';

it('the list of other people’s licences is current', () => {
  expect(
    readFileSync(path.join(PROJECT_ROOT, LICENCES_FILE), 'utf8'),
    'run "node scripts/packaging/licences.ts"',
  ).toBe(thirdPartyLicences());
});

it('the list has what is in the pages with the text of its licence, and what the service loads', () => {
  const list = thirdPartyLicences();
  for (const name of ['react', '@mantine/core', '@fontsource-variable/inter', 'fastify', 'sharp', 'electron'])
    expect(list).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: [\\w(]`, 'm'));
  expect(list).toContain('Copyright (c) Meta Platforms');
  expect(list).toMatch(/^fr_feature\S* .*: MIT/m);
});
