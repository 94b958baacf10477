import { maintenance as maintenanceRoutes } from '../../../../../server/contract/routes/console/maintenance.ts';
import { TextInput } from '@mantine/core';
import type { MaintenanceState } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { fromField } from '../../shared/time/field.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { useSaving } from '../../shared/forms/use-saving.tsx';
import { useWords } from '../../shared/words.tsx';
import { PanelForm } from '../Section.tsx';

const EMPTY = { begins: '', ends: '', notice: '' };

/** The form that plans a maintenance window. */
export function PlanMaintenance({ put }: { put: (next: MaintenanceState) => void }) {
  const { maintenance: words } = useWords('settings');
  const form = useForm({ name: 'maintenance', read: EMPTY });
  const { begins, ends, notice } = form.values;
  const [startsAt, endsAt] = [fromField(begins), fromField(ends)];
  const planning = useSaving(form, {
    send: () => call(maintenanceRoutes.plan, { body: { starts_at: startsAt, ends_at: endsAt, notice } }),
    onSaved: (next) => {
      form.discard();
      put(next);
    },
    labels: {},
  });
  return (
    <PanelForm
      title={words.planTitle}
      text={words.planText}
      sending={planning}
      said={null}
      submit={words.plan}
      obstacle={startsAt === '' || endsAt === '' ? 'incomplete' : null}
    >
      <div className="settings__pair">
        <TextInput type="datetime-local" label={words.begins} {...form.text('begins')} />
        <TextInput type="datetime-local" label={words.ends} {...form.text('ends')} />
      </div>
      <TextInput
        label={words.notice}
        description={words.noticeHelp}
        maxLength={200}
        {...form.text('notice')}
      />
    </PanelForm>
  );
}
