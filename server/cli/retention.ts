import { cleanUpOf } from '../lifecycle/clean-up.ts';
import { dataDirFrom } from '../data/location.ts';
import { removeDueRecordings } from '../data/recordings.ts';
import { createServiceClock, systemClock } from '../services/ports/clock.ts';
import { type CleanUp, confirmCleanUp } from '../services/people/clean-up.ts';
import type { Database } from '../store/sql/port.ts';
import { findOpenHold, type OpenHold } from '../store/people/retention-holds.ts';
import { CliError, type CommandInput, optionalText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Deletes expired data now instead of at night. @throws CliError while clean-up is on hold */
export async function retentionRun(input: CommandInput): Promise<unknown> {
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const removed = await withDatabase(input, (db) => run(db, dataDir, input.values['confirm-clock'] === true));
  return { removed };
}

async function run(
  db: Database,
  dataDir: string,
  isConfirmed: boolean,
): Promise<NonNullable<Awaited<ReturnType<CleanUp['run']>>> & { recordings: number }> {
  const clock = await createServiceClock(db, { wall: systemClock, onError: () => undefined });
  const cleanUp = cleanUpOf(dataDir, { db, clock, onHold: () => undefined });
  let removed = await cleanUp.run(CLI_ACTOR);
  let hold = await findOpenHold(db);
  if (isConfirmed && hold?.state === 'waiting') {
    await confirmCleanUp({ db, clock, deletions: clock }, hold.id, CLI_ACTOR);
    removed = await cleanUp.run(CLI_ACTOR);
    hold = await findOpenHold(db);
  }
  const time = clock.deletionTime();
  await clock.close();
  if (removed === null || time === null) throw new CliError(reasonOf(hold, dataDir));
  return { ...removed, recordings: await removeDueRecordings(dataDir, time) };
}

function reasonOf(hold: OpenHold | undefined, dataDir: string): string {
  if (!hold) return 'The clean-up is running in another process. Try again in a moment.';
  const [now, seen] = [new Date(hold.clockAt).toISOString(), new Date(hold.seenAt).toISOString()];
  const why =
    hold.reason === 'many_faces'
      ? 'More than 20 faces and more than a fifth of them would be deleted.'
      : `The clock says ${now}; Gatehouse last ran at ${seen}.`;
  return `${why} Nothing was deleted. To delete anyway, run "gatehouse retention run --confirm-clock --data-dir ${dataDir}", which creates a backup first.`;
}
