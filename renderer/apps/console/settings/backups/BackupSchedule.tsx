import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { backups as backupsRoutes } from '../../../../../server/contract/routes/console/settings.ts';
import { MAX_BACKUPS_KEPT, type BackupState } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { useCommonWords, useWords } from '../../shared/words.tsx';
import { PanelForm } from '../Section.tsx';

/** The folder of nightly backups, and how many are kept. */
export function BackupSchedule({ state, put }: { state: BackupState; put: (next: BackupState) => void }) {
  const { backups: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const [isOn, setIsOn] = useState(state.settings.is_on);
  const [keep, setKeep] = useState(state.settings.keep);
  const [folder, setFolder] = useState(state.settings.folder ?? '');
  const saving = useMutation({
    mutationFn: () =>
      call(backupsRoutes.change, {
        body: {
          is_on: isOn,
          keep,
          folder: folder.trim() === '' ? null : folder.trim(),
        },
      }),
    onSuccess: put,
  });
  return (
    <PanelForm
      title={words.nightly}
      sending={saving}
      said={saved}
      submit={actions.save}
      variant="default"
      disabled={keep < 1 || keep > MAX_BACKUPS_KEPT}
    >
      <Checkbox
        label={words.nightly}
        checked={isOn}
        onChange={({ currentTarget }) => setIsOn(currentTarget.checked)}
      />
      <NumberInput
        label={words.keep}
        min={1}
        max={MAX_BACKUPS_KEPT}
        allowDecimal={false}
        value={keep}
        onChange={(value) => setKeep(Number(value))}
      />
      <TextInput
        label={words.ownFolder}
        description={words.ownFolderHelp}
        placeholder={state.folder}
        spellCheck={false}
        value={folder}
        onChange={({ currentTarget }) => setFolder(currentTarget.value)}
      />
    </PanelForm>
  );
}
