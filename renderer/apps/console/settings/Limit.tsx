/** One limit of use without a key: the number, its meaning, and saving it. */
import { NumberInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { LimitSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { PanelForm, WithSetting } from './Section.tsx';

type LimitName = keyof LimitSettings['bounds'];

export function Limit({ name }: { name: LimitName }) {
  return (
    <WithSetting name={['limits']} read={(signal) => call(settingsRoutes.limits, { signal })}>
      {(settings, put) => <LimitForm name={name} settings={settings} put={put} />}
    </WithSetting>
  );
}

function LimitForm({
  name,
  settings,
  put,
}: {
  name: LimitName;
  settings: LimitSettings;
  put: (next: LimitSettings) => void;
}) {
  const { limits: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const number = new Intl.NumberFormat(useLanguage().language);
  const stored = settings[name];
  const { min, max } = settings.bounds[name];
  const [value, setValue] = useState<number | null>(stored);
  const isChanged = value !== stored;
  const isWithin = value !== null && value >= min && value <= max;
  const saving = useMutation({
    mutationFn: () => call(settingsRoutes.changeLimits, { body: { [name]: value } }),
    onSuccess: put,
  });
  const { title, text, label } = words[name];
  return (
    <PanelForm
      title={title}
      text={text}
      sending={saving}
      said={isChanged ? null : saved}
      submit={actions.save}
      disabled={!isChanged || !isWithin}
    >
      <NumberInput
        label={label}
        description={words.bounds({ min: number.format(min), max: number.format(max) })}
        min={min}
        max={max}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        value={value ?? ''}
        error={!isWithin}
        onChange={(next) => setValue(next === '' ? null : Number(next))}
      />
      {name === 'own_codes_per_day' && (
        <p className="quiet">{words.today({ count: settings.own_codes_today })}</p>
      )}
    </PanelForm>
  );
}
