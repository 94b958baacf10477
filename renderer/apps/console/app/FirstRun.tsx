/** The first start: the first admin, the company and an event that runs from now on. */
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setup as setupRoutes } from '../../../../server/contract/routes/console/access.ts';
import { MAX_EVENT_NAME_CHARS } from '../../../../server/contract/console/events.ts';
import type { SetupState } from '../../../../server/contract/console/access.ts';
import { UnreachableBanner } from './Banners.tsx';
import { Entrance } from './Entrance.tsx';
import { call } from '../shared/client/api.ts';
import { keepFirstKiosk } from '../shared/client/queries.ts';
import { NewPassphrase, strengthOf } from '../shared/dialogs/NewPassphrase.tsx';
import { beginSession, setupQuery } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { ownZone } from '../shared/time/field.ts';
import { useWords } from '../shared/words.tsx';

/** Well after midnight, when an evening's event is over. */
const EVENT_ENDS_AT_HOUR = 6;

/** The next early morning, in this computer's time. */
function endOfEvening(): string {
  const end = new Date();
  end.setDate(end.getDate() + 1);
  end.setHours(EVENT_ENDS_AT_HOUR, 0, 0, 0);
  return end.toISOString();
}

export function FirstRun({ setup, onDone }: { setup: SetupState; onDone: () => void }) {
  const words = useWords('setup');
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [company, setCompany] = useState(setup.company_name ?? '');
  const [event, setEvent] = useState('');
  const [code, setCode] = useState('');
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: () =>
      call(setupRoutes.create, {
        body: {
          name: name.trim(),
          passphrase,
          company_name: company.trim(),
          zone: ownZone(),
          event: { name: event.trim() || words.eventDefault, ends_at: endOfEvening() },
          ...(setup.code_required ? { setup_code: code.trim() } : {}),
        },
      }),
    onSuccess: ({ me, kiosk }) => {
      keepFirstKiosk(client, kiosk);
      beginSession(client, me);
      client.setQueryData(setupQuery.queryKey, {
        needed: false,
        code_required: false,
        company_name: null,
        recovery: false,
      });
      onDone();
    },
  });
  const ready =
    name.trim() !== '' && company.trim() !== '' && !['short', 'weak'].includes(strengthOf(passphrase));
  return (
    <Entrance title={words.title} wide banner={<UnreachableBanner />}>
      <p className="quiet">{words.text}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate();
        }}
      >
        <TextInput
          label={words.company}
          description={setup.company_name === null ? words.companyHelp : words.companyAdopted}
          required
          withAsterisk={false}
          value={company}
          onChange={({ currentTarget }) => setCompany(currentTarget.value)}
        />
        <TextInput
          label={words.name}
          description={words.nameHelp}
          autoComplete="username"
          required
          withAsterisk={false}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label={words.event}
          description={words.eventHelp}
          placeholder={words.eventDefault}
          maxLength={MAX_EVENT_NAME_CHARS}
          value={event}
          onChange={({ currentTarget }) => setEvent(currentTarget.value)}
        />
        <NewPassphrase label={words.passphrase} value={passphrase} onChange={setPassphrase} />
        {setup.code_required && (
          <TextInput
            label={words.code}
            description={words.codeHelp}
            required
            withAsterisk={false}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
        <p className="quiet">{words.basics}</p>
        <ErrorLine error={making.error} />
        <Button type="submit" size="md" disabled={!ready} loading={making.isPending}>
          {words.create}
        </Button>
      </form>
    </Entrance>
  );
}
