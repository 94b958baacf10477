/**
 * The command line of decisions §7. Results go to stdout, everything else to stderr. Exit code 0, or 1 with the
 * reason.
 */
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { createProgram } from './cli/commands.ts';
import { CliError, refuseOldNode } from './cli/io.ts';
import { visibleLines } from './domain/visible.ts';
import { ConfigError } from './data/errors.ts';
import { injectKey } from './data/injected-key.ts';
import { diskReasonOf } from './domain/disk.ts';
import { Refusal } from './refusals/refusal.ts';
import { CopyError } from './store/backup/copy.ts';
import { StoreError } from './store/sql/port.ts';

const EXPECTED = [CliError, CopyError, CommanderError, ConfigError, StoreError, Refusal];

/** The reason to print; null if Commander has printed the requested help. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommanderError && error.code.startsWith('commander.help')) return null;
  if (!EXPECTED.some((expected) => error instanceof expected))
    return fileReasonOf(error) ?? error.stack ?? error.message;
  return error.message.replace(/^error: /, '');
}

/** A file or disk that failed is for the operator to fix, so it is said in words. */
function fileReasonOf(error: Error & { path?: unknown }): string | null {
  const reason = diskReasonOf(error);
  if (reason === null) return null;
  return typeof error.path === 'string'
    ? `${error.path}: ${reason}.`
    : `A file could not be used: ${reason}.`;
}

// The reader of the output is gone, or its disk is full: a service must not end because of its log.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  refuseOldNode(process.versions);
  const program = createProgram().hook('preAction', async (root) => {
    if (root.opts<{ keyStdin?: true }>().keyStdin) injectKey(await text(process.stdin));
  });
  const args = process.argv.slice(2);
  await program.parseAsync(args.length === 0 ? ['help'] : args, { from: 'user' });
} catch (error) {
  const reason = reasonOf(error);
  if (reason !== null) process.stderr.write(`gatehouse: ${visibleLines(reason)}\n`);
  process.exitCode = error instanceof CommanderError || error instanceof CliError ? error.exitCode : 1;
}
