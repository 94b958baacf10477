/** The log in files: the newest is `gatehouse.log`, older ones have a number, and the oldest is deleted. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

type RotatingLog = { write(line: string): void; close(): void };

type LogOptions = {
  folder: string;
  maxBytes?: number;
  /** Number of older files that are kept. */
  older?: number;
};

const MAX_BYTES = 5 * 1024 * 1024;
const OLDER = 4;

/** Each line is in the file when `write` returns, because the last ones before a crash matter most. */
export function openRotatingLog({ folder, maxBytes = MAX_BYTES, older = OLDER }: LogOptions): RotatingLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (n: number) => path.join(folder, n === 0 ? 'gatehouse.log' : `gatehouse.${n}.log`);
  const open = () => openSync(file(0), 'a', 0o600);
  let fd: number | null = open();
  let bytes = fstatSync(fd).size;

  function rotate(from: number): void {
    closeSync(from);
    rmSync(file(older), { force: true });
    for (let n = older - 1; n >= 0; n--) {
      if (existsSync(file(n))) renameSync(file(n), file(n + 1));
    }
  }

  return {
    write(line) {
      if (fd === null) return;
      const text = `${line}\n`;
      const length = Buffer.byteLength(text);
      if (bytes > 0 && bytes + length > maxBytes) {
        rotate(fd);
        fd = open();
        bytes = 0;
      }
      writeSync(fd, text);
      bytes += length;
    },
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}
