import { ensureServer } from '../scripts/run/built.ts';

/** Tests run the server that is built from the sources as they are. Pages are built by `npm run build` or `npm test`. */
export default async function globalSetup(): Promise<void> {
  await ensureServer((line) => process.stderr.write(`${line}\n`));
}
