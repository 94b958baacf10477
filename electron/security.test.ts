/**
 * The points of Electron's security checklist (https://www.electronjs.org/docs/latest/tutorial/security) that can be
 * checked in the sources, so that no later change breaks one. `docs/explanation/desktop-security.md` says where each
 * is implemented.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const text = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const SOURCES = readdirSync(path.join(ROOT, 'electron'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => `electron/${name.replaceAll(path.sep, '/')}`)
  .map((file) => ({ file, source: text(file) }));

/** The files that contain this text. */
const filesWith = (pattern: RegExp) =>
  SOURCES.filter(({ source }) => pattern.test(source)).map(({ file }) => file);

describe('every window', () => {
  const windows = filesWith(/new (BrowserWindow|WebContentsView|BrowserView)\(/);

  it('is created in a file of its own', () => {
    expect(windows).toContain('electron/window.ts');
  });

  it.each(windows)('of %s is isolated, sandboxed, without Node.js and without guests', (file) => {
    for (const setting of [
      /contextIsolation: true/,
      /sandbox: true/,
      /nodeIntegration: false/,
      /webviewTag: false/,
      /partition: /,
    ]) {
      expect(text(file)).toMatch(setting);
    }
  });

  it.each(windows)('of %s refuses to navigate elsewhere and to open another', (file) => {
    for (const guard of [/'will-navigate'/, /setWindowOpenHandler/, /setPermissionRequestHandler/]) {
      expect(text(file)).toMatch(guard);
    }
  });
});

it.each([
  'webSecurity',
  'allowRunningInsecureContent',
  'experimentalFeatures',
  'enableBlinkFeatures',
  'allowpopups',
  'nodeIntegrationInSubFrames',
  'nodeIntegrationInWorker',
  'loadFile',
  'registerFileProtocol',
  'bypassCSP',
  'ELECTRON_RUN_AS_NODE',
])('nothing uses %s', (word) => {
  expect(filesWith(new RegExp(word))).toEqual([]);
});

it('no page comes from file:// or from elsewhere over plain HTTP', () => {
  expect(filesWith(/['"`](file:|http:)\/\//)).toEqual([]);
});

it('all sessions and pages are denied everything by default, before the app is ready', () => {
  expect(text('electron/window.ts')).toMatch(/'session-created'/);
  expect(text('electron/window.ts')).toMatch(/'web-contents-created'/);
  expect(text('electron/main.ts')).toMatch(/denyByDefault\(\);[\s\S]*whenReady/);
});

it('links open in the system’s browser only after their target was checked', () => {
  expect(filesWith(/openExternal\(/)).toEqual(['electron/window.ts']);
  expect(text('electron/window.ts')).toMatch(/destination === 'browser'\) void shell\.openExternal/);
});

it('each file that answers pages checks the sender', () => {
  const answering = filesWith(/ipcMain\.(handle|on)\(/);
  expect(answering).toContain('electron/ipc.ts');
  for (const file of answering) expect(text(file)).toMatch(/Sender/);
});

it('preloads expose named calls and nothing of Electron’s own', () => {
  const preloads = SOURCES.filter(({ file }) => path.basename(file).startsWith('preload'));
  expect(preloads.length).toBeGreaterThan(0);
  for (const { source } of preloads) {
    expect(source).toMatch(/contextBridge\.exposeInMainWorld/);
    expect(source).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer|: ipcRenderer\b(?!\.)/);
    expect(source).not.toMatch(/ipcRenderer\.\w+\((?!CHANNELS\.|\w*CHANNELS\.)/);
  }
});

it('each fuse is set deliberately, with its reason', () => {
  const packaging = text('electron-builder.yml');
  const [, fuses = ''] = /^electronFuses:\n((?: {2}.*\n)+)/m.exec(packaging) ?? [];
  expect(fuses.match(/^ {2}# .+\n {2}\w+: (true|false)$/gm)).toHaveLength(8);
  expect(fuses.match(/^ {2}\w+:/gm)).toHaveLength(8);
});

it('Electron is pinned to one release', () => {
  const { devDependencies } = JSON.parse(text('package.json')) as { devDependencies: Record<string, string> };
  expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
});

it('the documentation has all twenty points, and the files that it names exist', () => {
  const [, section = ''] =
    /\n## Electron's checklist\n([\s\S]*?)(\n## |$)/.exec(text('docs/explanation/desktop-security.md')) ?? [];
  const points = [...section.matchAll(/^\| (\d+) /gm)].map(([, number]) => Number(number));
  expect(points).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  const named = [...section.matchAll(/`((?:electron|server|renderer|docs|scripts|e2e)[\w/.-]*\.\w+)`/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, file = ''] of named) expect([file, existsSync(path.join(ROOT, file))]).toEqual([file, true]);
});
