import { expect, it } from 'vitest';
import { createProgram } from './commands.ts';
import { refuseOldNode } from './io.ts';

const run = (line: string) =>
  createProgram()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .parseAsync(line.split(' '), { from: 'user' });

it.each([
  ['an unknown command', 'fly away --json', 'no command "fly away"'],
  ['an unknown command of a group', 'keys fly --loud', 'no command "keys fly"'],
  ['an unknown flag', 'company list --loud', "unknown option '--loud'"],
  ['a flag of another command', 'company list --lan', "unknown option '--lan'"],
  ['a flag in place of a value', 'company create --name --reason', 'Enter a value before --reason'],
  ['a flag in place of a repeated value', 'verification create --embed-origin --default', 'before --default'],
  ['an unknown command of one that also runs alone', 'demo fly', 'too many arguments'],
  ['a removal of the sample without a reason', 'demo remove', '--reason is needed'],
  ['a value that is not a choice', 'demo --size huge', 'small, large'],
  ['a missing argument', 'data move', "missing required argument 'dir'"],
  ['one argument too many', 'backup create one two', 'too many arguments'],
])('%s is refused before anything runs', async (_, line, reason) => {
  await expect(run(line)).rejects.toThrow(reason);
});

it.each([
  ['20.20.2', '9'],
  ['22.17.1', '10'],
  ['22.18.0', '9'],
])('Node.js %s with Node-API %s is refused before it opens a database and crashes', (node, napi) => {
  expect(() => refuseOldNode({ node, napi })).toThrow('needs Node.js 22.18 or newer');
});

it.each([
  ['22.18.0', '10'],
  ['24.21.0', '10'],
])('Node.js %s with Node-API %s runs every command', (node, napi) => {
  expect(() => refuseOldNode({ node, napi })).not.toThrow();
});
