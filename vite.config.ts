/**
 * One build per surface: each has its own root, base URL and output folder, so that one page's files never depend on
 * another's. `vite build` builds them all.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import browserslistToEsbuild from 'browserslist-to-esbuild';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import type { Routes } from './server/contract/routes/route.ts';
import type * as Site from './scripts/docs/site.ts';
import type * as Packing from './scripts/sdk/pack.ts';
import type { FloorMessages } from './locales/types/floor.ts';
import packageJson from './package.json' with { type: 'json' };
import {
  catalogueInEveryLanguage,
  messageCatalogues,
  preloadCatalogues,
  WITHOUT_PARSER,
} from './scripts/locales/vite-plugin.ts';

const { version } = packageJson;

const compress = promisify(gzip);
const repository = import.meta.dirname;
/** The oldest browsers that pages support: `browserslist` in package.json. */
const BROWSERS = browserslistToEsbuild();

/** The landmarker's loader requests its file in a module worker; every browser with module workers has WASM SIMD. */
const VISION_FILES = [
  '@mediapipe/tasks-vision/vision_wasm_module_internal.js',
  '@mediapipe/tasks-vision/vision_wasm_module_internal.wasm',
  'zxing-wasm/reader/zxing_reader.wasm',
];
const COMPRESSIBLE = /\.(js|css|wasm|html|svg|json)$/;

/**
 * Copies the WebAssembly of MediaPipe and of the barcode reader next to the hosted page's bundle. The server also serves
 * it to the kiosk from there (`server/routes/pages/kiosk.ts`), so that the 15 MB exist only once.
 */
function visionFiles(outDir: string): Plugin {
  return {
    name: 'vision-files',
    async closeBundle() {
      const require = createRequire(import.meta.url);
      const folder = path.join(outDir, 'vision');
      await mkdir(folder, { recursive: true });
      await Promise.all(
        VISION_FILES.map((name) => copyFile(require.resolve(name), path.join(folder, path.basename(name)))),
      );
    },
  };
}

/**
 * Shows a notice in browsers that run no scripts, and in those that are too old, before the page starts. The script is
 * separate and written in ECMAScript 5, because such a browser may not parse the page’s own script.
 */
function floorNotice(): Plugin {
  const FILE = 'floor.js';
  const notices = Object.entries(catalogueInEveryLanguage<FloorMessages>('floor'));
  const noScript = notices.map(([lang, { noScript: text }]) => `<p lang="${lang}">${text}</p>`);
  let base = '/';
  return {
    name: 'floor-notice',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: () => [
      // First, because the page's root can take the whole height.
      { tag: 'noscript', children: noScript.join(''), injectTo: 'body-prepend' },
      { tag: 'script', attrs: { src: base + FILE }, injectTo: 'body' },
    ],
    async generateBundle() {
      const script = await readFile(path.join(repository, 'renderer/ui/floor.js'), 'utf8');
      const messages = notices.map(([language, { title, text, advice }]) => [
        language,
        { title, text, advice },
      ]);
      const source = script.replace('FLOOR_MESSAGES', JSON.stringify(Object.fromEntries(messages)));
      this.emitFile({ type: 'asset', fileName: FILE, source });
    },
  };
}

/** Writes a `.gz` file next to each text and WebAssembly file, for a server that sends precompressed files. */
function precompressed(outDir: string): Plugin {
  return {
    name: 'precompressed',
    enforce: 'post',
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const names = await readdir(outDir, { recursive: true });
        await Promise.all(
          names
            .filter((name) => COMPRESSIBLE.test(name))
            .map(async (name) => {
              const file = path.join(outDir, name);
              await writeFile(`${file}.gz`, await compress(await readFile(file), { level: 9 }));
            }),
        );
      },
    },
  };
}

/**
 * Replaces the modules of `contract/routes`, which contain every schema, with the method and path of each route: the
 * server validates the data, and a page needs only types.
 */
function pageRoutes(): Plugin {
  const ROUTES = /server[\\/]contract[\\/]routes[\\/].+\.ts$/;
  return {
    name: 'page-routes',
    enforce: 'pre',
    async load(id) {
      if (!ROUTES.test(id)) return undefined;
      const groups = (await import(pathToFileURL(id).href)) as Record<string, Routes>;
      const exported = Object.entries(groups).map(([group, routes]) => {
        const operations = Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }]);
        return `export const ${group} = ${JSON.stringify(Object.fromEntries(operations))};`;
      });
      return { code: exported.join('\n'), map: null };
    },
  };
}

/**
 * Leaves TypeBox out of the pages, which need only the types and constants of `contract/`. Each schema is marked as free of
 * side effects, so that it is left out where nothing uses it; a build that still contains one fails.
 */
function withoutSchemas(): Plugin {
  const CONTRACT = /server[\\/]contract[\\/].+\.ts$/;
  const STUB = '\0no-schemas';
  return {
    name: 'without-schemas',
    enforce: 'pre',
    resolveId: (id) => (id === 'typebox' ? STUB : undefined),
    load: (id) => (id === STUB ? 'export const Type = {};' : undefined),
    transform(code, id) {
      if (!CONTRACT.test(id)) return undefined;
      const values = this.parse(code, { lang: 'ts' })
        .body.flatMap((statement) => {
          const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
          return declared?.type === 'VariableDeclaration' ? declared.declarations : [];
        })
        .flatMap(({ init }) => (init && init.type !== 'ArrowFunctionExpression' ? init : []))
        .filter(({ start, end }) => /\(|\.{3}/.test(code.slice(start, end)));
      const marked = values.reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
        code,
      );
      return { code: marked, map: null };
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.modules[STUB]?.renderedLength) {
          throw new Error(
            `${file.fileName} contains schemas. Import only types and constants from contract/.`,
          );
        }
      }
    },
  };
}

/** A separate page: its files are served under `/assets/<name>/`. */
type Page = {
  /** Name of its folders in `renderer/apps` and `dist`. */
  name: 'hosted' | 'kiosk' | 'docs' | 'console';
  plugins?: Plugin[];
};

function page({ name, plugins = [] }: Page): InlineConfig {
  const outDir = path.join(repository, 'dist', name);
  return {
    configFile: false,
    root: path.join(repository, 'renderer/apps', name),
    base: `/assets/${name}/`,
    publicDir: false,
    envDir: false,
    plugins: [
      pageRoutes(),
      withoutSchemas(),
      ...plugins,
      messageCatalogues(),
      react(),
      // What is written in `/docs` can be read without a script and in any browser.
      ...(name === 'docs' ? [] : [floorNotice()]),
      precompressed(outDir),
    ],
    resolve: { alias: WITHOUT_PARSER },
    define: { GATEHOUSE_VERSION: JSON.stringify(version) },
    worker: { format: 'es', plugins: () => [withoutSchemas()] },
    build: {
      outDir,
      emptyOutDir: true,
      target: BROWSERS,
      cssTarget: BROWSERS,
      assetsDir: '',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // What a page loads at first is one file, because many small ones compress worse.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    },
  };
}

/**
 * The shared tokens follow the system's colours by a media query. The console has its own switch, so its dark values
 * are also bound to the attribute that the switch sets. They are still defined only once.
 */
function schemeByAttribute(): Plugin {
  const TOKENS = /renderer[\\/]ui[\\/]tokens\.css$/;
  const BY_SYSTEM = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/;
  return {
    name: 'scheme-by-attribute',
    enforce: 'pre',
    transform(code, id) {
      if (!TOKENS.test(id)) return undefined;
      if (!BY_SYSTEM.test(code)) throw new Error('The dark tokens are not where the console looks for them.');
      const byAttribute = code.replace(
        BY_SYSTEM,
        (_all, values: string) => `:root[data-mantine-color-scheme='dark'] { color-scheme: dark; ${values} }`,
      );
      return { code: byAttribute, map: null };
    },
  };
}

/**
 * The desktop shell: its main process, and one preload for each kind of window. Each is one CommonJS file, which every
 * Electron loads from a folder or an archive; a sandboxed preload can load nothing else.
 */
function desktopFile(entry: string): InlineConfig {
  return {
    configFile: false,
    root: repository,
    publicDir: false,
    envDir: false,
    plugins: [messageCatalogues()],
    build: {
      ssr: path.join(repository, `electron/${entry}.ts`),
      outDir: path.join(repository, 'dist/electron'),
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: `${entry}.cjs` },
      },
    },
  };
}

const sdkSource = path.join(repository, 'renderer/apps/sdk');
const sdkOutput = path.join(repository, 'dist/sdk');

/**
 * One file of the browser SDK's folder, served at `/sdk/`. Names stay unchanged, because integrators write them down.
 */
function sdkFile(entry: string, file: string, format: 'es' | 'iife', plugins: Plugin[] = []): InlineConfig {
  return {
    configFile: false,
    root: sdkSource,
    publicDir: false,
    envDir: false,
    plugins: [...plugins, messageCatalogues()],
    build: {
      outDir: sdkOutput,
      emptyOutDir: false,
      target: BROWSERS,
      reportCompressedSize: false,
      lib: { entry: path.join(sdkSource, entry), formats: [format], name: 'Gatehouse', fileName: () => file },
      rolldownOptions: {
        // The demo loads the SDK like any page.
        external: entry === 'esm.ts' ? [] : /\/esm\.ts$/,
        output: { paths: () => './gatehouse.js' },
      },
    },
  };
}

/** One file with its script and styles, so that it can be put on another site. */
async function reachPage(): Promise<void> {
  const script = path.join(sdkOutput, 'reach.js');
  const [html, code, styles] = await Promise.all(
    [path.join(sdkSource, 'demo/reach.html'), script, path.join(sdkSource, 'demo/demo.css')].map((file) =>
      readFile(file, 'utf8'),
    ),
  );
  const whole = html
    ?.replace('<style></style>', () => `<style>${styles}</style>`)
    .replace('<script></script>', () => `<script>${code}</script>`);
  await writeFile(path.join(sdkOutput, 'reach.html'), whole ?? '');
  await rm(script);
}

/** The pages of `/docs`, in the shell that vite builds from `index.html`. */
function site(outDir: string): Plugin {
  return {
    name: 'site',
    async closeBundle() {
      // Loaded here, because it loads the routes of the interface.
      const writing = pathToFileURL(path.join(repository, 'scripts/docs/site.ts')).href;
      const { writeSite } = (await import(writing)) as typeof Site;
      await writeSite(outDir);
    },
  };
}

const SDK_FONT = path.join(
  repository,
  'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);

/** The SDK's types, and the overview's and the demo's pages, styles and font, are copied unchanged. */
function sdkPlainFiles(): Plugin {
  const files = ['gatehouse.d.ts', 'demo/index.html', 'demo/overview.html', 'demo/demo.css', 'demo/font.css'];
  return {
    name: 'sdk-plain-files',
    async closeBundle() {
      await mkdir(sdkOutput, { recursive: true });
      await Promise.all([
        copyFile(SDK_FONT, path.join(sdkOutput, 'inter.woff2')),
        ...files.map((name) =>
          copyFile(path.join(sdkSource, name), path.join(sdkOutput, path.basename(name))),
        ),
      ]);
      await reachPage();
      // Loaded here, because it loads the compiler, which most runs of vite do not need.
      const packing = pathToFileURL(path.join(repository, 'scripts/sdk/pack.ts')).href;
      const { codeVerifier, packBrowser, packNode } = (await import(packing)) as typeof Packing;
      await Promise.all(
        (await codeVerifier()).map(([name, text]) => writeFile(path.join(sdkOutput, name), text)),
      );
      await packBrowser(version, sdkOutput, sdkOutput);
      await packNode(version, sdkOutput);
    },
  };
}

const SURFACES: readonly (() => InlineConfig)[] = [
  () =>
    page({
      name: 'hosted',
      plugins: [visionFiles(path.join(repository, 'dist/hosted')), preloadCatalogues(['hosted'])],
    }),
  // Light by default, whatever the system's colours, because a kiosk may be in the sun.
  () =>
    page({
      name: 'kiosk',
      plugins: [schemeByAttribute(), preloadCatalogues(['hosted', 'kiosk'])],
    }),
  () => sdkFile('esm.ts', 'gatehouse.js', 'es'),
  () => sdkFile('iife.ts', 'gatehouse.iife.js', 'iife'),
  () => sdkFile('demo/reach.ts', 'reach.js', 'iife'),
  () => sdkFile('demo/demo.ts', 'demo.js', 'es', [sdkPlainFiles(), precompressed(sdkOutput)]),
  () => page({ name: 'docs', plugins: [site(path.join(repository, 'dist/docs'))] }),
  // Each of its pages is a separate file, loaded when it is opened.
  () =>
    page({
      name: 'console',
      plugins: [schemeByAttribute()],
    }),
  () => desktopFile('main'),
  () => desktopFile('preload-console'),
  () => desktopFile('kiosk/preload-kiosk'),
];

export default defineConfig({
  builder: {
    async buildApp(builder) {
      for (const surface of SURFACES) await build(surface());
      // The configuration of this file itself has nothing to build.
      for (const environment of Object.values(builder.environments)) environment.isBuilt = true;
    },
  },
});
