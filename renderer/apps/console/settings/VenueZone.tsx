import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import { companiesQuery, useScope, useScopedCall } from '../shared/client/session.ts';
import { ownZone } from '../shared/time/field.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { PanelForm } from './Section.tsx';

/** The company's venue may be elsewhere than an operator's computer. */
export function VenueZone() {
  const { zone: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const client = useQueryClient();
  const { company } = useScope();
  const call = useScopedCall();
  const [chosen, setChosen] = useState(company.zone);
  const saving = useMutation({
    mutationFn: () => call(settings.changeZone, { body: { zone: chosen } }),
    onSuccess: () => client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
  });
  const isChanged = chosen !== company.zone;
  const zones = new Set([
    'UTC',
    ...Intl.supportedValuesOf('timeZone'),
    ...(company.zone ? [company.zone] : []),
  ]);
  return (
    <PanelForm
      title={words.title}
      text={words.text({ company: company.name })}
      sending={saving}
      said={isChanged ? null : saved}
      submit={actions.save}
      disabled={!isChanged}
    >
      <NativeSelect
        label={words.label}
        value={chosen ?? ''}
        data={[
          { value: '', label: words.own({ zone: ownZone() }) },
          ...[...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
        ]}
        onChange={({ currentTarget: { value } }) => setChosen(value === '' ? null : value)}
      />
    </PanelForm>
  );
}
