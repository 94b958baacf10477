/**
 * `npm run -s gatehouse -- <command>`: the server's command line, which first fetches and builds what `serve` needs.
 * It runs in the same process, so that signals and exit codes are the server's own.
 */
import { pathToFileURL } from 'node:url';

const command = process.argv[2];

if (command === 'serve' && !process.argv.includes('--help')) {
  // Nothing is running yet that would have to be drained.
  const leave = () => process.exit(0);
  process.on('SIGTERM', leave).on('SIGINT', leave);
  const { prepareServer } = await import('./run/prepare.ts');
  await prepareServer();
  process.off('SIGTERM', leave).off('SIGINT', leave);
  const { SERVER } = await import('./run/built.ts');
  await import(pathToFileURL(SERVER).href);
} else await import('../server/cli.ts');
