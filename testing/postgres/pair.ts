/** A primary and its synchronous standby, to kill the one and promote the other. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  administer,
  createTestDatabase,
  ownUser,
  postgresFolder,
  runPostgres,
  startPostgres,
  testUrl,
  USER,
} from './server.ts';

/** A base backup of an empty server takes a second or two. */
const FOLLOWS_WITHIN_MS = 60_000;
const LOOK_MS = 50;

type PostgresPair = {
  /** The address of a new database, which names both servers. */
  newDatabase(name: string): Promise<string>;
  /** Kills the primary (SIGKILL, with all its processes) and promotes the standby. @throws unless it was synchronous */
  failOver(): Promise<void>;
  stop(): Promise<void>;
};

/** Commits wait until the standby has applied them, as docs/how-to/run-on-postgresql.md asks for. */
export async function startPostgresPair(bin: string): Promise<PostgresPair> {
  const primary = await startPostgres(bin, () => ({
    synchronous_standby_names: '*',
    synchronous_commit: 'remote_apply',
  }));
  const folder = postgresFolder();
  const data = path.join(folder, 'data');
  const as = { ...ownUser(), cwd: folder, stdio: 'ignore' } as const;
  const source = ['-h', primary.folder, '-U', USER, '-D', data];
  execFileSync(
    path.join(bin, 'pg_basebackup'),
    [...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    as,
  );
  const standby = await runPostgres(bin, folder, {});
  const stop = async () => {
    await Promise.all([standby.stop(), primary.stop()]);
  };
  try {
    await becomesSynchronous(primary.folder);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async newDatabase(name) {
      const url = new URL(await createTestDatabase(primary.folder, name));
      url.searchParams.set('host', `${primary.folder},${folder}`);
      url.searchParams.set('target_session_attrs', 'read-write');
      return url.href;
    },
    async failOver() {
      // With an asynchronous standby, a lost commit would prove nothing about the nodes.
      const state = await syncState(primary.folder);
      if (state !== 'sync') throw new Error(`The standby is ${state}, not sync.`);
      for (const pid of processesOf(primary.folder)) process.kill(pid, 'SIGKILL');
      execFileSync(path.join(bin, 'pg_ctl'), ['promote', '-D', data, '-w'], as);
    },
    stop,
  };
}

async function becomesSynchronous(folder: string): Promise<void> {
  const deadlineMs = Date.now() + FOLLOWS_WITHIN_MS;
  while ((await syncState(folder)) !== 'sync') {
    if (Date.now() > deadlineMs) throw new Error('The standby does not follow its primary.');
    await sleep(LOOK_MS);
  }
}

/** `sync_state` of the standby as its primary reports it. */
async function syncState(folder: string): Promise<string> {
  const rows = await administer<{ state: string; sync_state: string }>(
    testUrl(folder, 'postgres'),
    'SELECT state, sync_state FROM pg_stat_replication',
  );
  return rows.map((row) => (row.state === 'streaming' ? row.sync_state : row.state)).join() || 'absent';
}

/** The postmaster first, so that it replaces none of the others. */
function processesOf(folder: string): number[] {
  const [postmaster = ''] = readFileSync(path.join(folder, 'data/postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(' ')].map(Number);
}
