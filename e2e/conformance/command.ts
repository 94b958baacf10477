/** The command line from a shell: its exit code and output. */
import { execFile } from 'node:child_process';
import { CLI } from '../support/command-line.ts';

export type Ended = { code: number; stdout: string; stderr: string };

export function runCommand(dataDir: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args, '--data-dir', dataDir], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
