import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setup } from '../../../../server/contract/routes/console/access.ts';
import { call } from '../shared/client/api.ts';
import { companiesQuery, signOut, useMay, useMe } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { ownZone } from '../shared/time/field.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { Form } from '../shared/forms/Submit.tsx';
import { text } from '../shared/forms/fields.ts';
import { Entrance } from './Entrance.tsx';

/** Shown instead of the console while the operator may see no company: none was created, or theirs was removed. */
export function NoCompany() {
  const words = useWords('setup');
  const { actions, menu } = useCommonWords();
  const client = useQueryClient();
  const isAdmin = useMay('admin');
  const { is_limited: isLimited } = useMe();
  const [name, setName] = useState('');
  const look = () => client.invalidateQueries({ queryKey: companiesQuery.queryKey });
  const making = useMutation({
    mutationFn: () =>
      call(setup.createCompany, { body: { company_name: name.trim(), zone: ownZone() } }).then(look),
  });
  const leave = (
    <Button variant="default" size="md" onClick={() => void signOut(client)}>
      {menu.signOut}
    </Button>
  );
  if (!isAdmin || isLimited)
    return (
      <Entrance title={words.noCompany.title}>
        <div className="stack">
          <p className="quiet">{words.noCompany.ask}</p>
          <Button size="md" onClick={() => void look()}>
            {actions.retry}
          </Button>
          {leave}
        </div>
      </Entrance>
    );
  return (
    <Entrance title={words.noCompany.title}>
      <p className="quiet">{words.noCompany.text}</p>
      <Form onSubmit={() => making.mutate()}>
        <TextInput
          label={words.company}
          description={words.companyHelp}
          required
          pattern=".*\S.*"
          withAsterisk={false}
          {...text(name, setName)}
        />
        <ErrorLine error={making.error} />
        <Button type="submit" size="md" loading={making.isPending}>
          {words.create}
        </Button>
        {leave}
      </Form>
    </Entrance>
  );
}
