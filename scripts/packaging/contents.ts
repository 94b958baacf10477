/** What a package may contain, judged by the names of its files below the resources folder. */

import { THREADS } from '../../server/program-files.ts';

/** As in Node.js: `linux`, `darwin`, `win32`; `x64`, `arm64`. */
type Target = { platform: string; arch: string };

/** Systems and processors, as packages write them in the paths of their binaries. */
const PLATFORMS = ['linux', 'linuxmusl', 'darwin', 'win32', 'android', 'freebsd'];
const ARCHS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x'];
const BINARY = /\.(node|dll|dylib|so(\.\d+)*)$/;
/** A word of a path: `napi-v6/linux/arm64`, `darwin-arm64.node`, `argon2.linux-x64-gnu.node`. */
const WORD_BREAK = /[^a-z0-9]+/;

/** The binaries that this target cannot load. Those without a system's name are for all of them. */
export function foreignBinaries(files: readonly string[], { platform, arch }: Target): string[] {
  return files.filter((file) => {
    if (!BINARY.test(file)) return false;
    const words = new Set(file.toLowerCase().split(WORD_BREAK));
    const named = (names: readonly string[]) => names.filter((name) => words.has(name));
    const platforms = named(PLATFORMS);
    const archs = named(ARCHS);
    return (
      (platforms.length > 0 && !platforms.includes(platform)) || (archs.length > 0 && !archs.includes(arch))
    );
  });
}

/** Our own folders for building the app. The server and the pages are packed as built, in `dist`. */
const OUR_WORKSHOP =
  /^app\.asar(\.unpacked)?\/(e2e|bench|scripts|server|renderer|electron|docs|lab|testing)\//;
const TESTS = /\.(test|spec|tst)\.[cm]?[jt]sx?$/;
const SOURCE_MAPS = /\.map$/;
const IN_DEPENDENCY = /\/node_modules\//;
/** Development files of dependencies: types, sources, editor settings. */
const DEPENDENCY_SOURCES = /\.([cm]?ts|tsx|gypi?|h|hpp|c|cc|cpp)$/;
const DEPENDENCY_WORKSHOP = /\/(tests?|__tests__|benchmarks?|docs|examples?|coverage|\.[^/]+)\/|\/\.[^/]+$/;

/** Files that no user of the app needs. */
export function developmentFiles(files: readonly string[]): string[] {
  return files.filter((file) => {
    if (OUR_WORKSHOP.test(file) || TESTS.test(file) || SOURCE_MAPS.test(file)) return true;
    const inside = file.slice(file.lastIndexOf('/node_modules/') + '/node_modules'.length);
    return IN_DEPENDENCY.test(file) && (DEPENDENCY_SOURCES.test(inside) || DEPENDENCY_WORKSHOP.test(inside));
  });
}

/** Parts that the app requires, each with its purpose. */
const NEEDED: Readonly<Record<string, RegExp>> = {
  'the shell': /^app\.asar\/dist\/electron\/main\.cjs$/,
  'the console’s preload': /^app\.asar\/dist\/electron\/preload-console\.cjs$/,
  'the kiosk’s preload': /^app\.asar\/dist\/electron\/kiosk\/preload-kiosk\.cjs$/,
  'the server': /^app\.asar\.unpacked\/dist\/server\/embedded\.js$/,
  ...Object.fromEntries(
    THREADS.map((name) => [
      `the server’s thread ${name}`,
      new RegExp(`^app\\.asar\\.unpacked/dist/server/${name}\\.js$`),
    ]),
  ),
  // Without it, Node.js takes the server's files for CommonJS.
  'the package’s description': /^app\.asar\.unpacked\/package\.json$/,
  'the messages': /^app\.asar\.unpacked\/locales\/en\/trust\.json$/,
  'the person’s page': /^app\.asar\.unpacked\/dist\/hosted\/index\.html$/,
  'the page’s face tracker': /^app\.asar\.unpacked\/dist\/hosted\/vision\/[^/]+\.wasm$/,
  'the kiosk': /^app\.asar\.unpacked\/dist\/kiosk\/index\.html$/,
  'the console': /^app\.asar\.unpacked\/dist\/console\/index\.html$/,
  'the SDK’s types': /^app\.asar\.unpacked\/dist\/sdk\/gatehouse\.d\.ts$/,
  'the models’ manifests': /^app\.asar\.unpacked\/assets\/models\/[^/]+\.json$/,
  'the bill of materials': /^sbom\.cdx\.json$/,
  'the licence': /^LICENSE$/,
  'other people’s licences': /^THIRD-PARTY-LICENSES\.txt$/,
  'the face models': /^models\/[^/]+\.onnx$/,
  'the page’s face model': /^models\/face_landmarker\.task$/,
  'the database’s driver': /\/better-sqlite3\/prebuilds\/[^/]+\.node$/,
  'the models’ runtime': /\/onnxruntime-node\/bin\/.+\.node$/,
  'the image decoder': /\/@img\/.+\.node$/,
  'the passphrase’s hash': /\/@node-rs\/argon2[^/]*\/[^/]+\.node$/,
};

/** The missing parts, in words. */
export const missingParts = (files: readonly string[]): string[] =>
  Object.entries(NEEDED)
    .filter(([, pattern]) => !files.some((file) => pattern.test(file)))
    .map(([what]) => what);

/** Large files that all pages share: one copy is sufficient. */
const LARGE = /\.(wasm|task|onnx)$/;

/** Large files that occur twice under the same name. */
export function repeatedFiles(files: readonly string[]): string[] {
  const seen = new Set<string>();
  return files.filter((file) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const isRepeated = LARGE.test(name) && seen.has(name);
    seen.add(name);
    return isRepeated;
  });
}

/** Every problem of a package, one line each; empty if there are none. */
export function complaints(files: readonly string[], target: Target): string[] {
  return [
    ...missingParts(files).map((what) => `${what} is missing`),
    ...foreignBinaries(files, target).map((file) => `${file} is for another system`),
    ...repeatedFiles(files).map((file) => `${file} is already in the package, in another place`),
    ...developmentFiles(files).map((file) => `${file} does not belong in a package`),
  ];
}
