import { TextInput, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import { companiesQuery, useScope, useScopedCall } from '../shared/client/session.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { PanelForm } from './Section.tsx';
import { Sample } from './Sample.tsx';
import { ownZone } from '../shared/time/field.ts';

const MAX_NAME_CHARS = 120;
const MAX_CONTACT_CHARS = 200;

/** Settings of the company whose venue this is. */
export function Venue() {
  const { company } = useScope();
  return (
    <>
      <CompanyDetails key={company.company_id} />
      <VenueZone key={`${company.company_id}/zone`} />
      <Sample />
    </>
  );
}

/** What guests read about who asks for the check. */
function CompanyDetails() {
  const { company: words } = useWords('settings');
  const client = useQueryClient();
  const { company } = useScope();
  const call = useScopedCall();
  const form = useForm({
    name: 'company',
    read: { name: company.name, privacy_contact: company.privacy_contact ?? '' },
    version: company.details_version,
  });
  const { name, privacy_contact: contact } = form.values;
  const saving = useSaving(form, {
    send: (changes, version) => call(settings.changeCompany, { body: { ...changes, version } }),
    onSaved: () => void client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
    labels: { name: words.name, privacy_contact: words.contact },
    take: (field, value) => ({ [field]: value ?? '' }),
  });
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      form={form}
      obstacle={name.trim() === '' ? 'incomplete' : null}
    >
      <TextInput
        label={words.name}
        value={name}
        required
        maxLength={MAX_NAME_CHARS}
        onChange={({ currentTarget }) => form.set({ name: currentTarget.value })}
      />
      <TextInput
        label={words.contact}
        description={words.contactHelp}
        value={contact}
        maxLength={MAX_CONTACT_CHARS}
        onChange={({ currentTarget }) => form.set({ privacy_contact: currentTarget.value })}
      />
    </PanelForm>
  );
}

/** The company's venue may be elsewhere than an operator's computer. */
function VenueZone() {
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
