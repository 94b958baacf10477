import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import { companiesQuery, useScope, useScopedCall } from '../shared/client/session.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { PanelForm } from './Section.tsx';
import { VenueZone } from './VenueZone.tsx';

const MAX_NAME_CHARS = 120;
const MAX_CONTACT_CHARS = 200;

/** Settings of the company whose venue this is. */
export function Venue() {
  const { company } = useScope();
  return (
    <>
      <CompanyDetails key={company.company_id} />
      <VenueZone key={`${company.company_id}/zone`} />
    </>
  );
}

/** What guests read about who asks for the check. */
function CompanyDetails() {
  const { company: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const client = useQueryClient();
  const { company } = useScope();
  const call = useScopedCall();
  const [name, setName] = useState(company.name);
  const [contact, setContact] = useState(company.privacy_contact ?? '');
  const hasName = name.trim() !== company.name;
  const hasContact = contact.trim() !== (company.privacy_contact ?? '');
  const saving = useMutation({
    mutationFn: () =>
      call(settings.changeCompany, {
        body: {
          ...(hasName && { name: name.trim() }),
          ...(hasContact && { privacy_contact: contact.trim() }),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
  });
  const isChanged = hasName || hasContact;
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      said={isChanged ? null : saved}
      submit={actions.save}
      disabled={!isChanged || name.trim() === ''}
    >
      <TextInput
        label={words.name}
        value={name}
        required
        maxLength={MAX_NAME_CHARS}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={words.contact}
        description={words.contactHelp}
        value={contact}
        maxLength={MAX_CONTACT_CHARS}
        onChange={({ currentTarget }) => setContact(currentTarget.value)}
      />
    </PanelForm>
  );
}
