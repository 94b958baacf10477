/** The memory and processor time of a program and all processes it started. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

const KIBIBYTE = 1024;
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The process and everything below it. */
export function processTree(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)]),
  );
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found;
}

function parentOf(pid: string): number {
  // The name, in brackets, may contain any character.
  const [, rest = ''] = procText(pid, 'stat').match(/\) (.*)/s) ?? [];
  return Number(rest.split(' ')[1] ?? 0);
}

/** Memory in bytes, counting pages that several processes share once (proportional set size). */
export function memoryBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kibibytes = '0'] = procText(String(pid), 'smaps_rollup').match(/^Pss:\s+(\d+) kB/m) ?? [];
    return sum + Number(kibibytes) * KIBIBYTE;
  }, 0);
}

/** Processor time so far, in milliseconds; a process that has ended counts nothing. */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, rest = ''] = /\) (.*)/s.exec(procText(String(pid), 'stat')) ?? [];
    const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number);
    return sum + (user + system) * TICK_MS;
  }, 0);
}

/** The most that a process has had in memory, in bytes; 0 once it has ended. */
export function peakBytes(pid: number): number {
  const [, kibibytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(procText(String(pid), 'status')) ?? [];
  return Number(kibibytes) * KIBIBYTE;
}

/** Empty for a process that has ended meanwhile. */
function procText(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
