/** The first start's company, so that there is something to try at once. */
import { systemClock } from '../../server/services/clock.ts';
import { createFirstCompany, type NewCompany } from '../../server/services/companies/companies.ts';
import { openDatabase } from '../../server/data/folder.ts';

const NAME = 'My venue';
/** Who the audit log names. */
const ACTOR = 'first start';

/** Opens the database and closes it again: what is wrong with it is then told before anything else is done. */
export async function checkDatabase(dataDir: string): Promise<void> {
  await (await openDatabase(dataDir)).close();
}

/** Makes a company where the installation has none yet; null where it has. */
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

/** A hosted link of a new test session, minted as an integrator would; null when the server does not give one. */
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
