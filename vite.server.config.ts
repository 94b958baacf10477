/**
 * The server as a few JavaScript files in `dist/server`, with its dependencies. It starts in half the time and with 40 MiB less
 * than from its 700 source files, which Node.js would have to find, read and strip of types at each start.
 */
import path from 'node:path';
import { defineConfig } from 'vite';
import { THREADS } from './server/program-files.ts';

/**
 * They load native modules from their own folders; the last one brings a copy of what our certificates need, whose parts would
 * load in the wrong order.
 */
const APART = /^(better-sqlite3|onnxruntime-node|sharp|@node-rs\/argon2|@simplewebauthn\/server)$/;
const ENTRIES = ['cli', 'embedded', ...THREADS];

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  envDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: 'dist/server',
    target: 'node22',
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((name) => [name, path.resolve('server', `${name}.ts`)])),
      external: APART,
      // Flat, because `server/program-files.ts` finds the others from whichever of them it is in.
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
