/**
 * The public application on a separate database, and two routes that do nothing: the cost of HTTP and JSON alone in
 * the same process. Prints one line of JSON when it listens; ends when its input does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { createPublicApp } from '../../server/http/public-app.ts';
import { serverConfig } from '../../server/config.ts';
import { openDatabase } from '../../server/data/folder.ts';
import { createUnavailableEngine } from '../../server/face/engine.ts';
import { createLogger } from '../../server/http/logging.ts';
import { systemClock } from '../../server/services/ports/clock.ts';
import { createCompany } from '../../server/services/companies/companies.ts';
import { createUsageTracker } from '../../server/services/keys/usage-tracker.ts';
import { benchDeps } from './service-deps.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
const config = serverConfig({ dataDir, port: '0' });
const db = await openDatabase(dataDir);
const logger = createLogger('fatal');
const reads = createUsageTracker(db, systemClock, () => undefined);
const deps = await benchDeps(db, createUnavailableEngine(config), reads);
const company = await createCompany(db, systemClock, { name: 'Bench', actor: 'cli' });
const app = await createPublicApp({ deps, logger, ...config });
app.get('/noop', () => ({ status: 'ok' }));
app.post('/noop', () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
process.stdout.write(
  `${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}`, key: company.keys.sk_test })}\n`,
);

process.stdin.resume();
process.stdin.on('end', () => {
  void (async () => {
    await app.close();
    await reads.close();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  })();
});
