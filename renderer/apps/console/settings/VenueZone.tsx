import { NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import { companiesQuery, useScope, useScopedCall } from '../shared/client/session.ts';
import { ownZone } from '../shared/time/field.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { PanelForm } from './Section.tsx';

/** The company's venue may be elsewhere than an operator's computer. */
export function VenueZone() {
  const { zone: words } = useWords('settings');
  const client = useQueryClient();
  const { company } = useScope();
  const call = useScopedCall();
  const form = useForm({ name: 'zone', read: { zone: company.zone }, version: company.zone_version });
  const { zone: chosen } = form.values;
  const saving = useSaving(form, {
    send: (_changes, version) => call(settings.changeZone, { body: { zone: chosen, version } }),
    onSaved: () => void client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
    labels: { zone: words.label },
    show: (_field, value) => (value === null ? words.own({ zone: ownZone() }) : undefined),
  });
  const zones = new Set([
    'UTC',
    ...Intl.supportedValuesOf('timeZone'),
    ...(company.zone ? [company.zone] : []),
  ]);
  return (
    <PanelForm title={words.title} text={words.text({ company: company.name })} sending={saving} form={form}>
      <NativeSelect
        label={words.label}
        value={chosen ?? ''}
        data={[
          { value: '', label: words.own({ zone: ownZone() }) },
          ...[...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
        ]}
        onChange={({ currentTarget: { value } }) => form.set({ zone: value === '' ? null : value })}
      />
    </PanelForm>
  );
}
