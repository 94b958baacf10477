/** A badge from the desktop app's kiosk to a real print queue: a CUPS of the test's own, on a socket in a temporary folder. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { DoorTeam } from '../../server/contract/console/door-team.ts';
import { passAs } from '../support/pages/ticket-kiosk.ts';
import { kioskScreen, scan, startButton } from '../support/pages/kiosk.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { pagesOf } from '../support/pdf.ts';
import { type Desktop, openDesktop, whyNoDesktop } from './desktop.ts';
import { newKioskOf } from './own-kiosk.ts';
import { limitMs, NIGHTLY } from '../../testing/tier.ts';

const CUPSD = '/usr/sbin/cupsd';
const LPADMIN = '/usr/sbin/lpadmin';
const hasCups = existsSync(CUPSD) && existsSync(LPADMIN);
prerequisite(
  whyNoDesktop() ?? (hasCups ? null : 'Debian’s "cups-daemon" and "cups-client" are not installed.'),
);

const run = promisify(execFile);
const LOADING_MS = limitMs(7_500);
const POINTS_OF_MM = 72 / 25.4;

/** A queue that keeps what it is sent and prints nothing. */
async function openQueue(name: string) {
  const dir = await mkdtemp(path.join(tmpdir(), 'gatehouse-cups-'));
  const at = (...names: string[]) => path.join(dir, ...names);
  const socket = at('cups.sock');
  for (const folder of ['root', 'cache', 'spool', 'state']) await mkdir(at(folder));
  const everybody = '<Location />\n  Order allow,deny\n  Allow all\n</Location>\n';
  const policy = '<Policy default>\n  <Limit All>\n    Order deny,allow\n  </Limit>\n</Policy>\n';
  const rules = `Listen ${socket}\nBrowsing Off\nWebInterface No\nDefaultAuthType None\nPreserveJobFiles Yes\n`;
  await writeFile(at('cupsd.conf'), rules + everybody + policy);
  const folders = `ServerRoot ${at('root')}\nCacheDir ${at('cache')}\nRequestRoot ${at('spool')}\nTempDir ${at('cache')}\nStateDir ${at('state')}\n`;
  const logs = `AccessLog ${at('access')}\nErrorLog ${at('error')}\nPageLog ${at('page')}\nPrintcap\n`;
  // Started by root, it refuses to work as root.
  await writeFile(at('files.conf'), `${folders}${logs}FileDevice Yes\nUser nobody\nGroup nogroup\n`);
  const cupsd: ChildProcess = spawn(CUPSD, ['-f', '-c', at('cupsd.conf'), '-s', at('files.conf')], {
    stdio: 'ignore',
  });
  const ended = once(cupsd, 'exit');
  const env = { ...process.env, CUPS_SERVER: socket };
  await expect
    .poll(() =>
      run(LPADMIN, ['-p', name, '-E', '-v', 'file:///dev/null', '-m', 'raw'], { env }).then(
        () => 'added',
        String,
      ),
    )
    .toBe('added');
  return {
    socket,
    /** Every document that was sent, in order. */
    async documents() {
      const names = (await readdir(at('spool'))).filter((file) => file.startsWith('d')).toSorted();
      return Promise.all(names.map((file) => readFile(at('spool', file))));
    },
    async close() {
      cupsd.kill();
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

let queue: Awaited<ReturnType<typeof openQueue>> | undefined;
let desktop: Desktop | undefined;
test.afterAll(async () => {
  delete process.env['CUPS_SERVER'];
  await desktop?.close();
  await queue?.close();
});

test(
  'the kiosk of the desktop app prints a badge once, without a dialog, on a page of its size',
  { tag: NIGHTLY },
  async () => {
    test.setTimeout(limitMs(90_000));
    queue = await openQueue('Badges');
    // Of the app, whose system would otherwise be asked for its printers.
    process.env['CUPS_SERVER'] = queue.socket;
    desktop = await openDesktop();
    const running = await desktop.start(['--kiosk']);
    const page = running.window;
    const { code, operator, eventId } = await newKioskOf(desktop, running, {
      partition: 'test',
      languages: ['en'],
      tickets: 'Code;Name\nADA-1;Ada Vale\n',
      badge: '<h1>{name}</h1>',
    });
    await expect(kioskScreen(page, 'pairing')).toBeVisible({ timeout: LOADING_MS });
    await page.getByLabel('Pairing code').fill(code);
    await page.getByRole('button', { name: 'Pair', exact: true }).click();
    await expect(startButton(page)).toBeVisible({ timeout: LOADING_MS });
    await scan(page, 'ADA-1');
    await passAs(page, 'alice');
    const badges = async () =>
      (await operator.ok<DoorTeam>(`/events/${eventId}/door-team?partition=test`)).badges.map(
        ({ status, why }) => why ?? status,
      );
    await expect.poll(badges, { timeout: LOADING_MS }).toEqual(['sent']);
    const documents = await queue.documents();
    expect(documents).toHaveLength(1);
    const [pages = []] = documents.map(pagesOf);
    expect(pages).toHaveLength(1);
    expect(pages[0]?.[0]).toBeCloseTo(90 * POINTS_OF_MM, -0.5);
    expect(pages[0]?.[1]).toBeCloseTo(55 * POINTS_OF_MM, -0.5);
  },
);
