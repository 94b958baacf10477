/**
 * Switches of Chromium and Node.js that would open the installed app from outside: a debugger sees and does everything
 * in every window, a held kiosk included. The fuses keep Node.js's own away from the main process, but not Chromium's.
 */
export const REFUSED_SWITCHES = [
  // Debuggers, and programs that drive the app.
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'remote-allow-origins',
  'auto-open-devtools-for-tabs',
  'enable-automation',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'inspect-publish-uid',
  'inspect-wait',
  'debug',
  'debug-brk',
  'debug-port',
  // Code of somebody else's, in a page or around a process.
  'js-flags',
  'load-extension',
  'require',
  'browser-subprocess-path',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'renderer-startup-dialog',
  // Weaker pages and connections.
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'host-rules',
  'host-resolver-rules',
  'ssl-key-log-file',
  'log-net-log',
  // Pictures that no camera took, and permissions that nobody gave.
  'use-fake-device-for-media-stream',
  'use-file-for-fake-video-capture',
  'use-file-for-fake-audio-capture',
  'use-fake-ui-for-media-stream',
] as const;

/**
 * The refused switch that the app was started with; null without one, and in a checkout.
 * @param hasSwitch as Chromium reads the command line, or none to read `argv`
 */
export function refusedSwitch({
  isPackaged,
  hasSwitch,
  argv,
}: {
  isPackaged: boolean;
  hasSwitch: (name: string) => boolean;
  argv: readonly string[];
}): string | null {
  if (!isPackaged) return null;
  // Chromium removes some that it has used, and Node.js reads its own.
  const given = new Set(
    argv.map((word) => /^(?:--?|\/)([\w-]+)/.exec(word)?.[1]?.toLowerCase().replaceAll('_', '-')),
  );
  return REFUSED_SWITCHES.find((name) => hasSwitch(name) || given.has(name)) ?? null;
}

/** Variables with which Node.js or Electron would run somebody else's code, or open a debugger. */
const FOREIGN = /^(?:NODE_OPTIONS|NODE_PATH|NODE_V8_COVERAGE|NODE_INSPECT_|NODE_REPL_|ELECTRON_)/i;

/** The environment for the installed app's own processes; a checkout keeps all of it. */
export function ownEnvironment(env: NodeJS.ProcessEnv, isPackaged: boolean): NodeJS.ProcessEnv {
  if (!isPackaged) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN.test(name)));
}

/** Started with `--recover`: an admin may set a new passphrase with the recovery phrase. */
export const isRecovery = (argv: readonly string[]): boolean => argv.includes('--recover');
