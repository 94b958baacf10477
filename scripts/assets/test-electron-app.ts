/**
 * The default app of an Electron without an app: `electron [-r module]… [switches] <folder>`. The original is in
 * Electron's archives, but not in the package that the tests use.
 */
export const DEFAULT_APP = `'use strict';
const Module = require('node:module');
const fs = require('node:fs');
const path = require('node:path');
const { app } = require('electron');

const args = process.argv.slice(1);
const preloaded = [];
let target;
while (target === undefined && args.length > 0) {
  const arg = args.shift();
  if (arg === '-r' || arg === '--require') preloaded.push(args.shift());
  else if (!arg.startsWith('-')) target = arg;
}
if (target === undefined) {
  console.error('usage: electron [-r module] [switches] <folder>');
  process.exit(2);
}
Module._preloadModules(preloaded);
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
const folder = path.resolve(target);
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.setVersion(manifest.version);
app.setName(manifest.productName ?? manifest.name);
app.setAppPath(folder);
require(path.resolve(folder, manifest.main));
`;
