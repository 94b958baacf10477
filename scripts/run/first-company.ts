/** The first start's company, for trying things out. */
import { systemClock } from '../../server/services/ports/clock.ts';
import { createFirstCompany, type NewCompany } from '../../server/services/companies/companies.ts';
import { openDatabase } from '../../server/data/folder.ts';

const NAME = 'My venue';
/** The actor in the audit log. */
const ACTOR = 'first start';

/** Opens and closes the database, so that its errors are reported before anything else happens. */
export async function checkDatabase(dataDir: string): Promise<void> {
  await (await openDatabase(dataDir)).close();
}

/** Creates a company if the installation has no company yet; otherwise returns null. */
export async function makeFirstCompany(dataDir: string): Promise<(NewCompany & { name: string }) | null> {
  const db = await openDatabase(dataDir);
  try {
    const company = await createFirstCompany(db, systemClock, { name: NAME, actor: ACTOR });
    return company && { ...company, name: NAME };
  } finally {
    await db.close();
  }
}

const MINT_TIMEOUT_MS = 10_000;

/** A hosted link of a new test session, created as an integrator would; null if the server refuses. */
export async function mintTestLink(baseUrl: string, secretTestKey: string): Promise<string | null> {
  try {
    const reply = await fetch(`${baseUrl}/v3/initialize`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretTestKey}`, 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(MINT_TIMEOUT_MS),
    });
    const body = (await reply.json()) as { url?: unknown };
    return reply.ok && typeof body.url === 'string' ? body.url : null;
  } catch {
    return null;
  }
}
