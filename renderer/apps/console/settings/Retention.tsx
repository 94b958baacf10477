import { NumberInput } from '@mantine/core';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { RetentionDays, RetentionSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
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
  settings: { days: stored, bounds },
  put,
}: {
  settings: RetentionSettings;
  put: (next: RetentionSettings) => void;
}) {
  const { retention: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const [days, setDays] = useState<RetentionDays>(stored);
  const saving = useMutation({
    mutationFn: () => call(settingsRoutes.changeRetention, { body: days }),
    onSuccess: put,
  });
  const field = (name: keyof RetentionDays, label: string) => (
    <NumberInput
      label={label}
      description={words.bounds({ min: bounds[name].min, max: bounds[name].max })}
      min={bounds[name].min}
      max={bounds[name].max}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      suffix={words.unit({ days: days[name] })}
      value={days[name]}
      error={days[name] < bounds[name].min || days[name] > bounds[name].max}
      onChange={(value) => setDays({ ...days, [name]: Number(value) })}
    />
  );
  const isChanged = Object.keys(stored).some(
    (name) => days[name as keyof RetentionDays] !== stored[name as keyof RetentionDays],
  );
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      said={isChanged ? null : saved}
      submit={actions.save}
      disabled={!isChanged}
    >
      {field('case_frames', words.caseFrames)}
      {field('template_inactive', words.templateInactive)}
      {field('abandoned_run', words.abandonedRun)}
      <p className="quiet">{words.guestPhoto}</p>
    </PanelForm>
  );
}
