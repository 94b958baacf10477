/** One limit of use without a key: the number, its meaning, and saving it. */
import { NumberInput } from '@mantine/core';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { LimitSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { Note } from '../shared/states.tsx';
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
  const { limits: words } = useWords('settings');
  const number = new Intl.NumberFormat(useLanguage().language);
  const stored = settings[name];
  const { min, max } = settings.bounds[name];
  const form = useForm<Record<string, number | null>>({
    name: `limit ${name}`,
    read: { [name]: stored },
    version: settings.version,
  });
  const value = form.values[name] ?? null;
  const isWithin = value !== null && value >= min && value <= max;
  const { title, text, label } = words[name];
  const saving = useSaving(form, {
    send: (_changes, version) => call(settingsRoutes.changeLimits, { body: { [name]: value, version } }),
    onSaved: put,
    labels: { [name]: label },
  });
  const stopsCodes =
    name === 'own_codes_per_day' && value !== null && value < stored && value <= settings.own_codes_today;
  return (
    <PanelForm
      title={title}
      text={text}
      sending={saving}
      form={form}
      obstacle={!isWithin ? 'outOfRange' : null}
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
        onChange={(next) => form.set({ [name]: next === '' ? null : Number(next) })}
      />
      {stopsCodes && <Note role="alert">{words.stopsToday}</Note>}
      {name === 'own_codes_per_day' && (
        <p className="quiet">{words.today({ count: settings.own_codes_today })}</p>
      )}
    </PanelForm>
  );
}
