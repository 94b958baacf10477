import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { backups as backupsRoutes } from '../../../../../server/contract/routes/console/settings.ts';
import type { BackupState, RestoreQuestion } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { ErrorLine, Note } from '../../shared/states.tsx';
import { useWords } from '../../shared/words.tsx';

type Props = { question: RestoreQuestion; name: string; put: (next: BackupState) => void };

/** A backup that this installation did not make: who will be admin, before anything is replaced. */
export function AskAdmins({ question, name, put }: Props) {
  const { backups: words } = useWords('settings');
  const { proof, admins, disabled, code } = question;
  const confirming = useMutation({
    mutationFn: () => call(backupsRoutes.confirmRestore, { body: { code } }),
    onSuccess: put,
  });
  const cancelling = useMutation({ mutationFn: () => call(backupsRoutes.cancelRestore), onSuccess: put });
  const hasDisabled = disabled.operators + disabled.keys + disabled.kiosks > 0;
  return (
    <section className="stack" aria-label={words.question.title} role="alert">
      <p>
        <code>{name}</code>
      </p>
      <Note>{words.question.proofs[proof]}</Note>
      <p>{words.question.admins}</p>
      <ul>
        {admins.map((admin) => (
          <li key={admin.id}>
            <bdi>{admin.name}</bdi>
          </li>
        ))}
      </ul>
      {hasDisabled && <p>{words.question.disabled(disabled)}</p>}
      <ErrorLine error={confirming.error ?? cancelling.error} />
      <div className="row">
        <Button color="refused" loading={confirming.isPending} onClick={() => confirming.mutate()}>
          {words.question.confirm}
        </Button>
        <Button variant="default" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
          {words.question.cancel}
        </Button>
      </div>
    </section>
  );
}
