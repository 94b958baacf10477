import path from 'node:path';
import product from '../../package.json' with { type: 'json' };
import { serverConfig } from '../config.ts';
import { databaseFrom, dataDirFrom, dataPaths } from '../data/location.ts';
import { systemClock } from '../services/ports/clock.ts';
import { type Journal, readJournal, type UpdateHome, updateHome } from '../services/updates/home.ts';
import { installUpdate } from '../services/updates/install.ts';
import { installedPackage, installPackage } from '../services/updates/package.ts';
import { here, newestAccepted, summaryOf, verifyUpdate } from '../services/updates/verify.ts';
import { iso } from '../services/wire/values.ts';
import { CliError, type CommandInput, optionalText, warn } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

const BY_HAND =
  'Gatehouse was not installed here as a folder that updates itself. Install the new version as before: see “Upgrade” in the documentation.';

/** Says whether an update may be installed here, and changes nothing. */
export async function updateVerify(input: CommandInput): Promise<unknown> {
  // Commander refuses the command without its file.
  const [file = ''] = input.positionals;
  const newest = await withDatabase(input, newestAccepted);
  return { verified: true, ...summaryOf(await verifyUpdate(path.resolve(file), here(newest))) };
}

/**
 * Has `apt` install the update of a Debian package. Elsewhere, unpacks an update beside the running version: the service tries it when it
 * starts again, which a service manager has it do at once.
 */
export async function updateInstall(input: CommandInput): Promise<unknown> {
  const [file = ''] = input.positionals;
  const name = installedPackage();
  if (name !== null) {
    // The command of the package keeps root’s rights for this, and `apt` refuses older versions.
    if (process.getuid?.() !== 0) throw new CliError(`Run this as root: it installs the package ${name}.`);
    const installed = await installPackage({
      ...{ name, file: path.resolve(file), newest: null },
      isDatabaseUnsaved:
        databaseFrom(process.env).databaseUrl !== null && input.values['database-is-saved'] !== true,
    });
    return { installed: true, ...summaryOf(installed) };
  }
  const home = ownHome();
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const { database, backups } = dataPaths(dataDir);
  const update = await withDatabase(input, (db) =>
    installUpdate(
      { db, clock: systemClock },
      {
        home,
        file: path.resolve(file),
        actor: CLI_ACTOR,
        data: databaseFrom(process.env).databaseUrl === null ? { database, backups } : null,
        isDatabaseSaved: input.values['database-is-saved'] === true,
        onWait: (checks) => warn(`waiting for the checks of ${checks} guests to end`),
      },
    ),
  );
  return {
    ready: true,
    ...summaryOf(update),
    note: 'The service tries it when it starts again. Under a service manager that happens now; otherwise restart it.',
  };
}

export async function updateStatus(input: CommandInput): Promise<unknown> {
  const home = updateHome();
  const journal = home && (await readJournal(home));
  return {
    version: product.version,
    updates_itself: home !== null,
    newest_accepted: await withDatabase(input, newestAccepted),
    update: journal && outcomeOf(journal),
  };
}

const outcomeOf = ({ phase, from, to, at, ...rest }: Journal) => ({
  state: phase,
  from,
  to,
  at: iso(at),
  ...('why' in rest && { why: rest.why, data_restored: rest.restored, said: rest.said }),
});

function ownHome(): UpdateHome {
  const home = updateHome();
  if (home === null) throw new CliError(BY_HAND);
  return home;
}

/** For the version before: works on the data as the service does, out of reach, and ends with 0. */
export async function updateTry(input: CommandInput): Promise<unknown> {
  const dataDir = optionalText(input, 'data-dir');
  const { startServer } = await import('../main.ts');
  const config = serverConfig(dataDir === undefined ? {} : { dataDir });
  const loopback = '127.0.0.1';
  const server = await startServer({
    ...config,
    host: loopback,
    port: 0,
    consoleHost: loopback,
    consolePort: 0,
    publicUrl: null,
    drainMs: 0,
    isTrial: true,
  });
  try {
    for (const url of [`${server.baseUrl}/readyz`, server.consoleUrl]) {
      const reply = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      if (!reply.ok) throw new CliError(`${url} answers ${reply.status}: ${await reply.text()}`);
    }
  } finally {
    await server.close();
  }
  return { works: true };
}
