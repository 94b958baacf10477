import { NumberInput } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { RetentionDays, RetentionSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { Cost } from '../shared/Cost.tsx';
import { useWords } from '../shared/words.tsx';
import { CleanUp } from './CleanUp.tsx';
import { PanelForm, WithSetting, settingKey } from './Section.tsx';
import { TestData } from './TestData.tsx';

const readRetention = (signal: AbortSignal) => call(settingsRoutes.retention, { signal });

export const retentionQuery = queryOptions({
  queryKey: settingKey('retention'),
  queryFn: ({ signal }) => readRetention(signal),
});

export function Retention() {
  return (
    <>
      <CleanUp />
      <WithSetting name={['retention']} read={readRetention}>
        {(settings, put) => <RetentionForm settings={settings} put={put} />}
      </WithSetting>
      <TestData />
    </>
  );
}

function RetentionForm({
  settings: { days: stored, bounds, version },
  put,
}: {
  settings: RetentionSettings;
  put: (next: RetentionSettings) => void;
}) {
  const { retention: words } = useWords('settings');
  const labels = {
    case_frames: words.caseFrames,
    template_inactive: words.templateInactive,
    abandoned_run: words.abandonedRun,
  };
  const form = useForm({ name: 'retention', read: stored, version });
  const days = form.values;
  const saving = useSaving(form, {
    send: (changes, read) => call(settingsRoutes.changeRetention, { body: { ...changes, version: read } }),
    onSaved: put,
    labels,
  });
  const field = (name: keyof RetentionDays) => (
    <NumberInput
      label={labels[name]}
      description={words.bounds({ min: bounds[name].min, max: bounds[name].max })}
      min={bounds[name].min}
      max={bounds[name].max}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      suffix={words.unit({ days: days[name] })}
      value={days[name]}
      error={days[name] < bounds[name].min || days[name] > bounds[name].max}
      onChange={(value) => form.set({ [name]: Number(value) })}
    />
  );
  return (
    <PanelForm title={words.title} text={words.text} sending={saving} form={form}>
      {field('case_frames')}
      <Cost of="pictures" />
      {field('template_inactive')}
      <Cost of="faces" />
      {field('abandoned_run')}
      <Cost of="abandoned" />
      <p className="quiet">{words.guestPhoto}</p>
    </PanelForm>
  );
}
