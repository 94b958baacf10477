/** Updates from the console: checked and unpacked while the service runs, one at a time, with their progress. */
import path from 'node:path';
import product from '../../../package.json' with { type: 'json' };
import type { UpdateProblem } from '../../contract/console/errors.ts';
import type { CheckedUpdate, UpdateState } from '../../contract/console/updates.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { iso } from '../wire/values.ts';
import { type Journal, readJournal, type UpdateHome } from './home.ts';
import { acceptUpdate, installUpdate, withdrawUpdate } from './install.ts';
import { installPackage, packageIn, type PackageName, type SystemTools } from './package.ts';
import type { UpdateKey } from './keys.ts';
import { here, newestAccepted, summaryOf, type UpdateFile, verifyUpdate } from './verify.ts';

export type UpdateService = {
  state(): Promise<UpdateState>;
  /** Starts checking a file, named by its full path. @throws Refusal `update_refused` while another one is checked or installed */
  check(file: string): void;
  /** Starts installing the file, if it still has that version. @throws as `check` does */
  install(request: { file: string; version: string; isDatabaseSaved: boolean; actor: Actor }): void;
  /** Removes an update that waits for a restart; does nothing otherwise. @throws Refusal `update_refused` */
  withdraw(actor: Actor): Promise<void>;
};

type UpdateServiceOptions = {
  /** Null for an installation that doesn't update itself. */
  home: UpdateHome | null;
  /** The Debian package that is installed, if the console may have the system replace it. */
  packageName?: PackageName | null;
  tools?: SystemTools;
  /** As `installUpdate` wants them. */
  data: { database: string; backups: string } | null;
  isSupervised: boolean;
  /** The keys that count; by default those of this version. */
  keys?: readonly UpdateKey[];
  onError: (error: unknown) => void;
};

type Work = NonNullable<UpdateState['working']>;

export function createUpdateService(
  db: Database,
  clock: Clock,
  { home, packageName = null, tools, data, isSupervised, keys, onError }: UpdateServiceOptions,
): UpdateService {
  let working: Work | null = null;
  let problem: UpdateProblem | null = null;
  let checked: CheckedUpdate | null = null;
  /** A package that the next start of the app runs. */
  let replaced: { version: string; at: number } | null = null;

  /** Nothing is awaited before it counts as in progress, so that two clicks start only one. */
  function begin(file: string, work: (underWay: Work) => Promise<void>): void {
    if (home === null && packageName === null) throw refused('other_kind');
    if (working !== null) throw refused('under_way');
    if (!path.isAbsolute(file)) throw refused('unreadable');
    problem = null;
    const underWay: Work = { file, step: 'checking', percent: 0, guests: 0 };
    working = underWay;
    void work(underWay)
      .catch((error: unknown) => {
        problem = problemIn(error);
        checked = null;
        if (problem === 'failed' || problem === 'package_failed') onError(error);
      })
      .finally(() => {
        working = null;
      });
  }

  return {
    async state() {
      const journal = home && (await readJournal(home));
      return {
        version: product.version,
        updates_itself: home !== null,
        by_package: packageName !== null,
        restarts_itself: isSupervised,
        engine: db.engine,
        newest_accepted: await newestAccepted(db),
        working: working && { ...working },
        problem,
        checked,
        last: journal ? lastOf(journal) : replaced && waiting(replaced),
      };
    },
    check(file) {
      begin(file, async (underWay) => {
        checked = null;
        const update = await verifyUpdate(file, here(await newestAccepted(db)), keys, (share) => {
          underWay.percent = percentOf(share);
        });
        if (packageName !== null) packageIn(update.manifest, packageName);
        else if (update.manifest.kind !== 'folder') throw refused('other_kind');
        checked = checkedOf(update);
      });
    },
    install({ file, version, isDatabaseSaved, actor }) {
      begin(file, async (underWay) => {
        const common = {
          ...{ file, expected: version },
          ...(keys && { keys }),
          onProgress(step: Work['step'], share: number) {
            underWay.step = step;
            underWay.percent = percentOf(share);
          },
        };
        if (packageName !== null) {
          const newest = await newestAccepted(db);
          const update = await installPackage({
            ...{ ...common, name: packageName, newest },
            isDatabaseUnsaved: data === null && !isDatabaseSaved,
            ...(tools && { tools }),
          });
          const at = clock.now();
          replaced = { version, at };
          await db.tx((tx) => acceptUpdate(tx, update, { at, actor }));
        } else if (home !== null) {
          const onWait = (guests: number) => {
            underWay.step = 'waiting';
            underWay.guests = guests;
          };
          await installUpdate(
            { db, clock },
            { ...common, ...{ home, actor, data, isDatabaseSaved }, onWait },
          );
        }
        checked = null;
      });
    },
    async withdraw(actor) {
      if (home === null) return;
      if (working !== null) throw refused('under_way');
      await withdrawUpdate({ db, clock }, { home, actor });
    },
  };
}

const refused = (problem: UpdateProblem): Refusal => new Refusal('update_refused', { args: { problem } });

const percentOf = (share: number): number => Math.min(100, Math.floor(100 * share));

function problemIn(error: unknown): UpdateProblem {
  if (!(error instanceof Refusal) || error.code !== 'update_refused') return 'failed';
  return (error.facts.args as { problem: UpdateProblem }).problem;
}

function checkedOf(update: UpdateFile): CheckedUpdate {
  const { version, channel, created_at, bytes, signed_by, changes_database } = summaryOf(update);
  return { file: update.file, version, channel, created_at, bytes, signed_by, changes_database };
}

const waiting = ({ version, at }: { version: string; at: number }): NonNullable<UpdateState['last']> => ({
  ...{ state: 'waiting', version, at: iso(at), why: null, data_restored: false, said: '' },
});

/** Null for an update that works: the version says it. */
function lastOf(journal: Journal): UpdateState['last'] {
  const common = waiting({ version: journal.to, at: journal.at });
  if (journal.phase === 'wanted') return common;
  if (journal.phase !== 'rolled_back') return null;
  const { why, restored, said } = journal;
  return { ...common, state: 'undone', why, data_restored: restored, said };
}
