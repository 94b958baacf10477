/** Checks that pages call only what the browsers of `browserslist` (package.json) have. Exits with 1 if one lacks something. */
import path from 'node:path';
import { PROJECT_ROOT } from './assets/paths.ts';
import { missingApis } from './lint/browser-support.ts';

/** Missing in some supported browsers. The pages ask for these first and work without them. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'HTMLVideoElement.requestVideoFrameCallback',
  'Navigator.permissions',
  'Navigator.wakeLock',
  'Notification',
  'PermissionStatus',
  'Permissions',
  'SpeechSynthesis',
  'SpeechSynthesisUtterance',
  'SpeechSynthesisVoice',
  'WakeLock',
  'WakeLockSentinel',
]);

const IN_PAGES = /^(renderer|server\/contract)\/.*(?<!\.(test|fixture))\.tsx?$/;
const inProject = (file: string) => path.relative(PROJECT_ROOT, file).replaceAll(path.sep, '/');

const missing = missingApis(path.join(PROJECT_ROOT, 'renderer/tsconfig.json'), (file) =>
  IN_PAGES.test(inProject(file)),
).filter(({ api }) => !OPTIONAL.has(api) && !OPTIONAL.has(api.split('.')[0] ?? api));
for (const { at, api, browser } of missing) console.error(`${inProject(at)}: ${browser} lacks ${api}.`);
process.exitCode = missing.length === 0 ? 0 : 1;
