import { expect, it } from 'vitest';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { renewRecoveryPhrase } from '../backup/recovery-setting.ts';
import { readBackups } from '../backup/settings.ts';
import { createOperator } from '../operators/operators.ts';
import { changeOperator } from '../operators/change.ts';
import { createRefusalLog } from '../keys/refusals.ts';
import { signIn } from '../operators/sign-in.ts';
import { recoverableAdmins, recoverAdmin } from './recovery.ts';
import { readSetupState } from './setup.ts';

const HERE = { isLocal: true };
const NEW = 'lemon orbit quartz harbour';
const ORIGIN = { address: '127.0.0.1', device: 'test', previousToken: null };
const OTHER_WORDS = `${'abandon '.repeat(23)}art`;

async function withAdmin({ isOpen = true } = {}) {
  const { deps: service, clock } = await openTestService();
  const deps = { ...service, ...testInstallation(service.db, clock), recovery: { isOpen } };
  const made = { passphrase: 'velvet anchor prism meadow', origin: 'cli', actor: 'cli' } as const;
  const { operator: admin } = await createOperator(deps, { name: 'Ada', role: 'admin', ...made });
  await createOperator(deps, { name: 'Bob', role: 'staff', ...made });
  const phrase = await renewRecoveryPhrase(deps.db, clock, 'cli');
  return { deps, admin, phrase, clock };
}

it('a sole admin who forgot the passphrase sets a new one by the recovery phrase, and only an admin', async () => {
  const { deps, admin, phrase, clock } = await withAdmin();
  expect(await readSetupState(deps, HERE)).toMatchObject({ needed: false, recovery: true });
  const { admins } = await recoverableAdmins(deps, ` ${phrase.toUpperCase()} `, HERE);
  expect(admins).toEqual([{ operator_id: admin.operator_id, name: 'Ada', has_second_factor: false }]);

  const request = { phrase, operator_id: admin.operator_id, passphrase: NEW, remove_second_factor: true };
  await recoverAdmin(deps, request, HERE);
  const refusals = createRefusalLog(deps.db, clock, () => undefined);
  const { signedIn } = await signIn({ ...deps, refusals }, { name: 'Ada', passphrase: NEW }, ORIGIN);
  expect(signedIn.operator.name).toBe('Ada');
  const [entry] = await listAuditEntries(deps.db, { action: 'operator.reset' }, null, 1);
  expect(entry).toMatchObject({ actor: 'recovery phrase', subject: admin.operator_id });
});

it('the recovery closes with its first use', async () => {
  const { deps, admin, phrase } = await withAdmin();
  const request = { phrase, operator_id: admin.operator_id, passphrase: NEW, remove_second_factor: false };
  await recoverAdmin(deps, request, HERE);
  await expect(recoverAdmin(deps, request, HERE)).rejects.toMatchObject({ code: 'recovery_closed' });
  expect(await readSetupState(deps, HERE)).toMatchObject({ recovery: false });
});

it('a recovery is refused without the switch, from another machine, and with other words', async () => {
  const closed = await withAdmin({ isOpen: false });
  const { deps, phrase, clock } = await withAdmin();
  const cases = [
    [closed.deps, closed.phrase, HERE, 'recovery_closed'],
    [deps, phrase, { isLocal: false }, 'recovery_closed'],
    [deps, OTHER_WORDS, HERE, 'wrong_recovery_phrase'],
    [deps, 'no such words', HERE, 'wrong_recovery_phrase'],
  ] as const;
  for (const [at, words, origin, code] of cases) {
    await expect(recoverableAdmins(at, words, origin)).rejects.toMatchObject({ code });
  }
  await renewRecoveryPhrase(deps.db, clock, 'cli');
  await expect(recoverableAdmins(deps, phrase, HERE)).rejects.toMatchObject({
    code: 'wrong_recovery_phrase',
  });
});

it('a disabled admin gets no new passphrase, and without a phrase nobody does', async () => {
  const { deps, phrase, clock } = await withAdmin();
  const { operator } = await createOperator(deps, {
    name: 'Cyd',
    role: 'admin',
    origin: 'cli',
    actor: 'cli',
  });
  await changeOperator(deps, operator.operator_id, { disabled: true }, { reason: 'left', actor: 'cli' });
  const request = { phrase, operator_id: operator.operator_id, passphrase: NEW, remove_second_factor: false };
  await expect(recoverAdmin(deps, request, HERE)).rejects.toMatchObject({ code: 'not_found' });

  const { deps: bare } = await openTestService();
  const open = { ...bare, ...testInstallation(bare.db, clock), recovery: { isOpen: true } };
  await expect(recoverableAdmins(open, phrase, HERE)).rejects.toMatchObject({
    code: 'recovery_without_phrase',
  });
});

it('an installed app, which has no command line, shows no command to restore with', async () => {
  const { deps } = await withAdmin();
  expect(await readBackups({ ...deps, isInstalledApp: true })).toMatchObject({ restore_command: null });
});
