import { maintenance as maintenanceRoutes } from '../../../../../server/contract/routes/console/maintenance.ts';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MaintenanceState } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { fromField } from '../../shared/time/field.ts';
import { useWords } from '../../shared/words.tsx';
import { PanelForm } from '../Section.tsx';

/** The form that plans a maintenance window. */
export function PlanMaintenance({ put }: { put: (next: MaintenanceState) => void }) {
  const { maintenance: words } = useWords('settings');
  const [begins, setBegins] = useState('');
  const [ends, setEnds] = useState('');
  const [notice, setNotice] = useState('');
  const planning = useMutation({
    mutationFn: () =>
      call(maintenanceRoutes.plan, {
        body: {
          starts_at: fromField(begins),
          ends_at: fromField(ends),
          notice,
        },
      }),
    onSuccess: (next) => {
      setBegins('');
      setEnds('');
      setNotice('');
      put(next);
    },
  });
  return (
    <PanelForm
      title={words.planTitle}
      text={words.planText}
      sending={planning}
      said={null}
      submit={words.plan}
      disabled={begins === '' || ends === ''}
    >
      <div className="settings__pair">
        <TextInput
          type="datetime-local"
          label={words.begins}
          value={begins}
          onChange={({ currentTarget }) => setBegins(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={words.ends}
          value={ends}
          onChange={({ currentTarget }) => setEnds(currentTarget.value)}
        />
      </div>
      <TextInput
        label={words.notice}
        description={words.noticeHelp}
        maxLength={200}
        value={notice}
        onChange={({ currentTarget }) => setNotice(currentTarget.value)}
      />
    </PanelForm>
  );
}
