/** Decisions §7: exit codes of commands that fail, and the output of commands that read. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { runCommand } from '../../support/service/command-line.ts';
import { NOBODYS_UUID, sharedVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

/** A command on the server's own data. */
const run = (args: readonly string[]) => venue.gatehouse.command(args);

test.describe('"Exit 0, or 1 with the reason on stderr"', () => {
  const company = () => ['--company', venue.companyId];
  const REFUSED: [what: string, args: () => string[], reason: RegExp][] = [
    ['no such command', () => ['fly', 'away'], /no command "fly away"/],
    ['no such option', () => ['company', 'list', '--loud'], /--loud/],
    ['an option that is missing', () => ['company', 'create'], /--name is needed/],
    ['an unknown company', () => ['keys', 'list', '--company', NOBODYS_UUID], /no company/],
    ['limit: no number', () => ['limit', 'set', ...company(), '--daily', '-1'], /--daily/],
    ['limit: a fraction', () => ['limit', 'set', ...company(), '--daily', '1.5'], /whole number/],
    [
      'roll: an unknown overlap',
      () => ['keys', 'roll', ...company(), '--pair', NOBODYS_UUID, '--overlap', '2h', '--reason', 'x'],
      /now, 1h, 24h, 7d/,
    ],
    [
      'roll: an unknown pair',
      () => ['keys', 'roll', ...company(), '--pair', NOBODYS_UUID, '--overlap', '1h', '--reason', 'x'],
      /no working pair/,
    ],
    [
      'revoke: without a reason',
      () => ['keys', 'revoke', ...company(), '--key', NOBODYS_UUID],
      /--reason is needed/,
    ],
    [
      'decide: an unknown case',
      () => ['reviews', 'decide', '--case', NOBODYS_UUID, '--decision', 'same_person', '--reason', 'x'],
      /no case/,
    ],
    [
      'decide: an unknown decision',
      () => ['reviews', 'decide', '--case', NOBODYS_UUID, '--decision', 'maybe', '--reason', 'x'],
      /same_person, different_people, same_person_allow/,
    ],
    ['maintenance: a time gone by', () => ['maintenance', 'on', '--until', '2001-01-01'], /in the past/],
    ['config: no JSON', () => ['verification', 'create', ...company(), '--config', '{'], /not JSON/],
    [
      'config: unknown options',
      () => ['verification', 'create', ...company(), '--config', '{"a":{"b":1}}'],
      /do not exist: a/,
    ],
    ['a bad origin', () => ['verification', 'create', ...company(), '--origin', 'a b'], /invalid_origin/],
    ['no origin', () => ['verification', 'create', ...company(), '--origin', 'null'], /invalid_origin/],
    [
      'an embedding origin that no page can have',
      () => ['verification', 'create', ...company(), '--embed-origin', 'null'],
      /invalid_origin: null/,
    ],
    [
      'a bad return address',
      () => ['verification', 'create', ...company(), '--redirect-url', 'http://venue.example'],
      /redirect address can’t be used/,
    ],
    [
      'a return address with user information',
      () => ['verification', 'create', ...company(), '--redirect-url', 'https://user@venue.example'],
      /redirect address can’t be used/,
    ],
  ];
  for (const [what, args, reason] of REFUSED) {
    test(what, async () => {
      const { code, stdout, stderr } = await run([...args(), '--json']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/\bat .+:\d+/);
    });
  }

  test('help, and lists without --json, are readable text', async () => {
    const help = await run(['help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const name of ['serve', 'company create', 'keys roll', 'limit set', 'maintenance on']) {
      expect(help.stdout).toContain(name);
    }
    expect((await run(['company', 'list'])).stdout).toContain('company_id: ');
  });

  test('a different data folder is another installation', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-other-'));
    const create = ['company', 'create', '--name', 'Other', '--json', '--data-dir', folder];
    const { company_id } = JSON.parse((await runCommand(create)).stdout) as { company_id: string };
    const list = ['company', 'list', '--json', '--data-dir', folder];
    expect(JSON.parse((await runCommand(list)).stdout)).toMatchObject([{ company_id }]);
    expect((await run(['company', 'list'])).stdout).not.toContain(company_id);
    await rm(folder, { recursive: true });
  });
});
