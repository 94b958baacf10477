/** The processes of one desktop app, found by their data folder. Linux only, like the tests' Electron. */
import { readdirSync, readFileSync } from 'node:fs';

/** The servers that were started on this data. */
export function serversOn(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => procText(pid, 'cmdline').includes('dist/server/embedded.js'))
    .filter((pid) => procText(pid, 'environ').includes(`GATEHOUSE_DATA_DIR=${dataDir}\0`))
    .map(Number);
}

/** Empty for a process that has ended meanwhile. */
function procText(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
