/**
 * Runs the code blocks of a page as a reader would: one shell for each page, so that later blocks see the variables of earlier
 * ones. Paths and addresses of the page are replaced by those of a temporary folder and of running servers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';
import { findPostgres, startPostgres, USER } from '../../testing/postgres/server.ts';
import type { CodeBlock } from '../../testing/documents/documents.ts';
import { CLI } from './service/command-line.ts';

/** Folders in the pages that are created in the temporary folder instead. */
const SHOWN_FOLDERS = ['/etc/gatehouse', '/media/usb', '/srv', '/var/lib/gatehouse'];
const SHOWN_PROJECT = '/opt/gatehouse';
const SHOWN_SOCKET = '/run/postgresql';

/** Replaces, in this order, what a page shows by what the test has. */
type Replacements = readonly (readonly [shown: string, actual: string])[];

type Page = {
  blocks: readonly CodeBlock[];
  /** Runs before the first block. */
  prelude: string;
  env: NodeJS.ProcessEnv;
  replacements: Replacements;
  folder: string;
  /** Where the shell starts, if not in `folder`. */
  cwd?: string;
};

/** An object that contains "…" can have more fields, and a string that ends in "…" can be longer. */
function matches(actual: unknown, shown: unknown): boolean {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    return typeof actual === 'string' && actual.startsWith(shown.slice(0, -1));
  }
  if (typeof shown !== 'object' || shown === null) return Object.is(actual, shown);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(shown))
    return false;
  const fields = Object.entries(shown).filter(([name]) => name !== '…');
  const isWhole = '…' in shown || Object.keys(actual).length === fields.length;
  return (
    isWhole && fields.every(([name, value]) => matches((actual as Record<string, unknown>)[name], value))
  );
}

/** Two addresses of this machine are equal whatever their ports. */
const withoutPorts = (text: string): unknown =>
  JSON.parse(text.replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '0')) as unknown;

/** The commands of a systemd unit: its environment and `ExecStart`. */
function commandsOfUnit(code: string): string {
  const valuesOf = (name: string) =>
    [...code.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value);
  const [folder = ''] = valuesOf('WorkingDirectory');
  const [, credential = ''] = valuesOf('LoadCredential')[0]?.split(':') ?? [];
  return [
    'set -a',
    ...valuesOf('EnvironmentFile').map((file) => `. ${file}`),
    ...valuesOf('Environment').map((value) => value.replaceAll('%d', path.dirname(credential))),
    'set +a',
    `cd ${folder}`,
    `launch ${valuesOf('ExecStart')[0] ?? 'false'}`,
  ].join('\n');
}

/** The machine's own Node.js, which is often older than the project's, or that one if there is no other. */
function integratorsNode(): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const own = folders.filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')));
  const found = own.map((folder) => path.join(folder, 'node')).find((file) => existsSync(file));
  return found ?? process.execPath;
}

/** The word after `run` in the mark of a block is a function of the prelude, which runs before the block. */
const stepsOf = ({ mark }: CodeBlock): string => mark.split(' ').slice(1).join('\n');

function scriptOf(commands: readonly CodeBlock[], { folder, prelude, replacements }: Page): string {
  const steps = commands.map((block, index) => {
    const out = path.join(folder, `${index}.out`);
    const code = block.language === 'ini' ? commandsOfUnit(block.code) : block.code;
    const program =
      block.language === 'js'
        ? `"${integratorsNode()}" "${path.join(folder, `${index}.mjs`)}"`
        : replacements.reduce((text, [shown, actual]) => text.replaceAll(shown, actual), code);
    return `echo "line ${block.line}" >&2\n${stepsOf(block)}\n{\n${program}\n} > "${out}" < "\${INPUT:-/dev/null}"\n`;
  });
  return prelude + steps.join('');
}

/** Runs all blocks; a JSON block is the expected output of the block before it. */
export async function runBlocks(page: Page): Promise<void> {
  const { blocks, env, folder, cwd = folder } = page;
  const commands = blocks.filter(({ language }) => language !== 'json');
  for (const [index, { language, code }] of commands.entries()) {
    if (language === 'js') await writeFile(path.join(folder, `${index}.mjs`), code);
  }
  const shell = spawn('bash', ['-c', scriptOf(commands, page)], {
    cwd,
    env: { ...env, FORCE_COLOR: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, [code]] = await Promise.all([
    buffer(shell.stderr),
    once(shell, 'close') as Promise<[number | null]>,
  ]);
  const printed = (index: number) =>
    readFile(path.join(folder, `${index}.out`), 'utf8').catch(() => 'nothing was printed');
  const last = errors.toString().match(/^line \d+$/gm)?.length ?? 0;
  expect(code, `${errors.toString()}\n${await printed(last - 1)}`).toBe(0);

  for (const [index, block] of blocks.entries()) {
    if (block.language !== 'json') continue;
    const before = commands.findLastIndex(({ line }) => line < block.line);
    expect(before, `line ${block.line} of the page: nothing ran before it`).toBeGreaterThanOrEqual(0);
    expect(blocks[index - 1]?.language).not.toBe('json');
    const text = await printed(before);
    expect(
      matches(withoutPorts(text), withoutPorts(block.code)),
      `line ${block.line}: the server answered ${text}`,
    ).toBe(true);
  }
}

/** A temporary folder for the call, removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-docs-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * The commands of a page that starts and stops the service itself. `launch` leaves the service running until the next one starts,
 * and its ready line is the output. The words of the marks: `stopped` stops the service, `restarted` starts it again, `typed`
 * continues on another machine and types the recovery words, `database` creates an empty PostgreSQL database and its key,
 * `company` creates a company, and `file` continues with one in a data folder.
 */
const OWN_SERVICE = `
set -euo pipefail
service=
stopped() {
  [ -n "$service" ] || return 0
  kill -TERM "$service"
  wait "$service"
  service=
}
trap stopped EXIT
launch() {
  stopped
  launched=("$@")
  : > "$FOLDER/ready"
  "$@" --port 0 --console-port 0 > "$FOLDER/ready" &
  service=$!
  until grep -q '"ready"' "$FOLDER/ready"; do kill -0 "$service"; sleep 0.1; done
  BASE=$(sed 's/.*"base_url":"\\([^"]*\\)".*/\\1/' "$FOLDER/ready")
  cat "$FOLDER/ready"
}
restarted() { launch "\${launched[@]}" > /dev/null; }
gatehouse() { "$NODE" "$CLI" "$@"; }
npm() {
  [ "$1 $2 $3 $4" = 'run -s gatehouse --' ] || { echo "unexpected: npm $*" >&2; return 1; }
  shift 4
  if [ "$1" = serve ]; then launch "$NODE" "$CLI" "$@"; else gatehouse "$@"; fi
}
typed() {
  INPUT=$FOLDER/words
  grep -hoE '([a-z]+ ){23}[a-z]+' "$FOLDER"/*.out | head -1 > "$INPUT"
  export GATEHOUSE_DATA_DIR=$FOLDER/other-machine
}
database() {
  dropdb --if-exists gatehouse
  psql -qtAc "SELECT 1 FROM pg_roles WHERE rolname = 'gatehouse'" postgres | grep -q 1 || createuser gatehouse
  createdb --owner gatehouse gatehouse
  [ -e "$FOLDER/etc/gatehouse/database.keys" ] || (umask 077 && openssl rand -hex 32 > "$FOLDER/etc/gatehouse/database.keys")
}
company() { gatehouse company create --name Venue > /dev/null; }
file() {
  unset GATEHOUSE_DATABASE_URL
  export GATEHOUSE_DATA_DIR=$FOLDER/second
  company
}
`;

/** The file that the units name, in their comment. */
const environmentFile = (socket: string): string =>
  `GATEHOUSE_DATABASE_URL='postgres:///gatehouse?host=${socket}&user=gatehouse'
GATEHOUSE_PUBLIC_URL=https://verify.example.org
GATEHOUSE_TRUSTED_HOPS=1
GATEHOUSE_HOST=127.0.0.1
`;

/** True if the page needs a PostgreSQL server. */
export const needsPostgres = (blocks: readonly CodeBlock[]): boolean =>
  blocks.some(({ code, mark }) => code.includes(SHOWN_SOCKET) || mark.includes('database'));

/** Runs a page on an installation of its own, which is empty, and on a PostgreSQL server if it needs one. */
export const runOnOwnService = (blocks: readonly CodeBlock[]): Promise<void> =>
  inFolder(async (folder) => {
    for (const shown of SHOWN_FOLDERS) await mkdir(path.join(folder, shown), { recursive: true });
    const bin = needsPostgres(blocks) ? findPostgres() : undefined;
    const postgres = bin === undefined ? undefined : await startPostgres(bin);
    const socket = postgres?.folder ?? SHOWN_SOCKET;
    try {
      await writeFile(path.join(folder, 'etc/gatehouse/environment'), environmentFile(socket));
      const settings = Object.entries(process.env).filter(([name]) => !/^(GATEHOUSE_|PG)/.test(name));
      await runBlocks({
        blocks,
        folder,
        // The page creates a user with the name that PostgreSQL's first user has in tests.
        prelude:
          postgres === undefined
            ? OWN_SERVICE
            : `${OWN_SERVICE}
psql -qc 'CREATE ROLE installer SUPERUSER LOGIN' postgres
export PGUSER=installer
psql -qc 'ALTER ROLE ${USER} RENAME TO first' postgres
`,
        env: {
          ...Object.fromEntries(settings),
          PATH: [bin, process.env['PATH']].filter((part) => part !== undefined).join(path.delimiter),
          PGHOST: socket,
          PGUSER: USER,
          NODE: process.execPath,
          CLI,
          FOLDER: folder,
          GATEHOUSE_DATA_DIR: path.join(folder, 'var/lib/gatehouse'),
          GATEHOUSE_LOG_LEVEL: 'warn',
          GATEHOUSE_LAN_PORT: '0',
        },
        replacements: [
          ['http://127.0.0.1:4180', '"$BASE"'],
          [SHOWN_PROJECT, PROJECT_ROOT],
          [SHOWN_SOCKET, socket],
          ...SHOWN_FOLDERS.map((shown) => [shown, path.join(folder, shown)] as const),
        ],
      });
    } finally {
      await postgres?.stop();
    }
  });
