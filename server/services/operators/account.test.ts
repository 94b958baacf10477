import { describe, expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { endSessionsOf } from '../../store/operators/sessions.ts';
import { type Database, StoreError } from '../../store/sql/port.ts';
import { saveMyFilter } from './account.ts';
import { createOperator } from './operators.ts';
import { signOut } from './sign-in.ts';
import { openSession, resumeSession, type SignedIn } from './operator-session.ts';

it('the audit log says which filter was saved, but not its name, which may be a person’s', async () => {
  const { deps } = await openTestService();
  const { operator } = await createOperator(deps, {
    name: 'Ada',
    role: 'staff',
    origin: 'cli',
    actor: 'cli',
  });
  const signedIn = { operator: { id: operator.operator_id }, actor: operator.name } as SignedIn;
  const filter = { page: 'people', name: 'Ana Ruiz', query: 'q=ana+ruiz' };
  const { filter_id: id } = await saveMyFilter(deps, signedIn, filter);
  const entries = await deps.db.all<{ details: string }>(
    "SELECT details FROM audit_entries WHERE action = 'filter.save'",
  );
  expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { page: 'people', filter_id: id },
  ]);
});

describe('on a full disk', () => {
  const MINUTE_MS = 60_000;

  const signedInOnFullDisk = async () => {
    const { deps, clock } = await openTestService();
    const { db } = deps;
    const { operator } = await createOperator(deps, {
      name: 'Ada',
      role: 'admin',
      origin: 'cli',
      actor: 'cli',
    });
    const here = { address: '127.0.0.1', device: 'test' };
    const token = await db.tx((tx) => openSession(tx, operator.operator_id, here, clock.now()));
    let isFull = true;
    let isNoticed = false;
    const fails = <T>(write: () => Promise<T>): Promise<T> => {
      isNoticed = isFull;
      return isFull ? Promise.reject(new StoreError('database_full', 'full')) : write();
    };
    const full: Database = {
      ...db,
      refusesWrites: () => isNoticed,
      write: (...statement) => fails(() => db.write(...statement)),
      tx: (work, lock) => fails(() => db.tx(work, lock)),
    };
    const own = { ...deps, db: full };
    return {
      clock,
      operatorId: operator.operator_id,
      db,
      own,
      calls: (isActivity = true) => resumeSession(own, token, { isActivity }),
      refused: (isActivity = true) => refusalOf(resumeSession(own, token, { isActivity })),
      free: () => {
        isFull = false;
        isNoticed = false;
      },
    };
  };

  it('an operator who keeps working stays signed in, also for what the page asks for itself', async () => {
    const { clock, calls } = await signedInOnFullDisk();
    for (let n = 0; n < 4; n++) {
      clock.advance(10 * MINUTE_MS);
      expect((await calls()).operator.name).toBe('Ada');
      clock.advance(MINUTE_MS);
      const { idleAt } = await calls(false);
      expect(idleAt - clock.now()).toBe(14 * MINUTE_MS);
    }
  });

  it('an operator who does nothing for 15 minutes is signed out, and stays it', async () => {
    const { clock, calls, refused } = await signedInOnFullDisk();
    clock.advance(10 * MINUTE_MS);
    await calls();
    clock.advance(15 * MINUTE_MS);
    expect(await refused(false)).toBe('session_idle');
    expect(await refused()).toBe('session_idle');
  });

  it('nobody stays signed in beyond 12 hours', async () => {
    const { clock, calls, refused } = await signedInOnFullDisk();
    for (let n = 0; n < 71; n++) {
      clock.advance(10 * MINUTE_MS);
      await calls();
    }
    clock.advance(10 * MINUTE_MS);
    expect(await refused()).toBe('session_over');
  });

  it('an operator who signs out, although that cannot be stored, is out once the stored activity is 15 minutes old', async () => {
    const { clock, calls, refused, own } = await signedInOnFullDisk();
    clock.advance(10 * MINUTE_MS);
    const signedIn = await calls();
    await expect(signOut(own, signedIn, { everywhere: false })).rejects.toThrow('full');
    clock.advance(5 * MINUTE_MS);
    expect(await refused()).toBe('session_idle');
  });

  it('a session that another process ends is over at once', async () => {
    const { clock, calls, refused, db, operatorId } = await signedInOnFullDisk();
    clock.advance(MINUTE_MS);
    await calls();
    await db.tx((tx) => endSessionsOf(tx, operatorId, null, clock.now(), 'disabled'));
    expect(await refused()).toBe('session_ended');
  });

  it('the activity is stored again once there is space', async () => {
    const { clock, calls, free, db, own } = await signedInOnFullDisk();
    clock.advance(10 * MINUTE_MS);
    await calls();
    expect(own.unsavedActivity.size).toBe(1);
    free();
    clock.advance(MINUTE_MS);
    await calls();
    expect(own.unsavedActivity.size).toBe(0);
    expect(await db.one('SELECT last_seen_at AS at FROM operator_sessions')).toEqual({ at: clock.now() });
  });
});
