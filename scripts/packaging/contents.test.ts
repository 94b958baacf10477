import { describe, expect, test } from 'vitest';
import { complaints, developmentFiles, foreignBinaries, missingParts, repeatedFiles } from './contents.ts';

const LINUX = { platform: 'linux', arch: 'x64' };
const MODULES = 'app.asar.unpacked/node_modules';

describe('binaries of other systems are left out of a package', () => {
  test.each([
    `${MODULES}/better-sqlite3/prebuilds/darwin-arm64.node`,
    `${MODULES}/better-sqlite3/prebuilds/linuxmusl-x64.node`,
    `${MODULES}/onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1`,
    `${MODULES}/onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll`,
    `${MODULES}/@node-rs/argon2-darwin-arm64/argon2.darwin-arm64.node`,
  ])('%s', (file) => {
    expect(foreignBinaries([file], LINUX)).toEqual([file]);
  });

  test.each([
    `${MODULES}/better-sqlite3/prebuilds/linux-x64.node`,
    `${MODULES}/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1`,
    `${MODULES}/@img/sharp-libvips-linux-x64/lib/libvips-cpp.so.8.18.7`,
    `${MODULES}/better-sqlite3/lib/darwin-x64.js`,
  ])('but %s is kept', (file) => {
    expect(foreignBinaries([file], LINUX)).toEqual([]);
  });

  test('a package for another system keeps that system’s', () => {
    const files = [`${MODULES}/better-sqlite3/prebuilds/win32-x64.node`];
    expect(foreignBinaries(files, { platform: 'win32', arch: 'x64' })).toEqual([]);
  });
});

describe('files for building the app are left out', () => {
  test.each([
    'app.asar.unpacked/testing/service/temp-service.ts',
    'app.asar.unpacked/server/domain/settle.test.ts',
    'app.asar.unpacked/server/routes/docs/openapi.ts',
    'app.asar/electron/main.ts',
    'app.asar.unpacked/dist/console/index.js.map',
    `${MODULES}/fastify/docs/Guides/Getting-Started.js`,
    `${MODULES}/pino/benchmarks/basic.bench.js`,
    `${MODULES}/rfdc/index.test-d.ts`,
    `${MODULES}/es-errors/.nycrc`,
    `${MODULES}/node-addon-api/napi.h`,
  ])('%s', (file) => {
    expect(developmentFiles([file])).toEqual([file]);
  });

  test.each([
    'app.asar.unpacked/dist/server/face/worker.js',
    'app.asar.unpacked/dist/docs/index.html',
    'app.asar.unpacked/dist/sdk/gatehouse.d.ts',
    `${MODULES}/typebox/build/index.mjs`,
    `${MODULES}/yaml/LICENSE`,
  ])('but %s is kept', (file) => {
    expect(developmentFiles([file])).toEqual([]);
  });
});

test('large files are included once', () => {
  const vision = (page: string) => `app.asar.unpacked/dist/${page}/vision/vision_wasm_module_internal.wasm`;
  expect(
    repeatedFiles([vision('hosted'), 'models/fr_detect.onnx', 'app.asar.unpacked/dist/a/index.html']),
  ).toEqual([]);
  expect(repeatedFiles([vision('hosted'), vision('kiosk')])).toEqual([vision('kiosk')]);
});

test('a package without a required part is reported as incomplete', () => {
  expect(missingParts([])).toEqual(
    expect.arrayContaining(['the face models', 'the server’s thread services/backup/worker']),
  );
  expect(complaints([], LINUX)).toContain('the server is missing');
});
