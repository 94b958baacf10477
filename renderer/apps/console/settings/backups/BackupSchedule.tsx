import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { backups as backupsRoutes } from '../../../../../server/contract/routes/console/settings.ts';
import {
  type BackupChange,
  MAX_BACKUPS_KEPT,
  type BackupState,
} from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { Cost } from '../../shared/Cost.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { useSaving } from '../../shared/forms/use-saving.tsx';
import { useWords } from '../../shared/words.tsx';
import { PanelForm } from '../Section.tsx';

/** The folder of nightly backups, and how many are kept. */
export function BackupSchedule({ state, put }: { state: BackupState; put: (next: BackupState) => void }) {
  const { backups: words } = useWords('settings');
  const form = useForm({ name: 'backups', read: state.settings, version: state.version });
  const { keep, folder } = form.values;
  const saving = useSaving(form, {
    send: (changes, version) => call(backupsRoutes.change, { body: { ...trimmed(changes), version } }),
    onSaved: put,
    labels: { is_on: words.nightly, keep: words.keep, folder: words.ownFolder },
  });
  return (
    <PanelForm
      title={words.nightly}
      sending={saving}
      variant="default"
      form={form}
      obstacle={keep < 1 || keep > MAX_BACKUPS_KEPT ? 'outOfRange' : null}
    >
      <Checkbox label={words.nightly} {...form.tick('is_on')} />
      <NumberInput
        label={words.keep}
        min={1}
        max={MAX_BACKUPS_KEPT}
        allowDecimal={false}
        value={keep}
        onChange={(value) => form.set({ keep: Number(value) })}
      />
      <Cost of="backups" />
      <TextInput
        label={words.ownFolder}
        description={words.ownFolderHelp}
        placeholder={state.folder}
        spellCheck={false}
        value={folder ?? ''}
        onChange={({ currentTarget }) => form.set({ folder: currentTarget.value || null })}
      />
    </PanelForm>
  );
}

const trimmed = ({ folder, ...rest }: BackupChange): BackupChange =>
  folder === undefined ? rest : { ...rest, folder: folder?.trim() || null };
