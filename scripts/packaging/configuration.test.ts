/** Checks that the packer would otherwise only make on its target system. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '../assets/paths.ts';

const CONFIGURATION = readFileSync(path.join(PROJECT_ROOT, 'electron-builder.yml'), 'utf8');

const NAMED_FILES = CONFIGURATION.matchAll(/^ *(?:icon|entitlements\w*|beforePack|afterPack): (.+)$/gm);

test.each([...NAMED_FILES].map(([, file = '']) => file))('%s exists', (file) => {
  expect(existsSync(path.join(PROJECT_ROOT, file))).toBe(true);
});

test('each system has its installers', () => {
  for (const [system, targets] of [
    ['linux', '[AppImage]'],
    ['win', '[nsis]'],
    ['mac', '[dmg]'],
  ]) {
    expect(CONFIGURATION).toContain(`\n${system}:\n  target: ${targets}\n`);
  }
});

test('an AppImage starts where FUSE 2 is missing', () => {
  expect(CONFIGURATION).toContain('\ntoolsets:\n  appimage: 1.0.3\n');
});

test('no package names an address that does not exist', () => {
  expect(CONFIGURATION).not.toMatch(/\.invalid|\.example/);
});

test('macOS shows a text when asking for the camera, and the hardened app may open it', () => {
  expect(CONFIGURATION).toMatch(/NSCameraUsageDescription: .+/);
  expect(readFileSync(path.join(PROJECT_ROOT, 'assets/packaging/entitlements.mac.plist'), 'utf8')).toContain(
    'com.apple.security.device.camera',
  );
});

test('uninstalling keeps the data', () => {
  expect(CONFIGURATION).toContain('deleteAppDataOnUninstall: false');
});
