/** The first start: the first admin, the company and an event that runs from now on. */
import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { setup as setupRoutes } from '../../../../server/contract/routes/console/access.ts';
import { MAX_EVENT_NAME_CHARS } from '../../../../server/contract/console/events.ts';
import type { SetupState } from '../../../../server/contract/console/access.ts';
import { Entrance } from './Entrance.tsx';
import { call } from '../shared/client/api.ts';
import { keepFirstKiosk } from '../shared/client/queries.ts';
import { NewPassphrase, strengthOf } from '../shared/dialogs/NewPassphrase.tsx';
import { beginSession, setupQuery } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { ownZone } from '../shared/time/field.ts';
import { useWords } from '../shared/words.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { FIRST_START, useForm } from '../shared/forms/use-form.ts';

/** Well after midnight, when an evening's event is over. */
const EVENT_ENDS_AT_HOUR = 6;

/** The next early morning, in this computer's time. */
function endOfEvening(): string {
  const end = new Date();
  end.setDate(end.getDate() + 1);
  end.setHours(EVENT_ENDS_AT_HOUR, 0, 0, 0);
  return end.toISOString();
}

const SECRET = ['passphrase', 'code'] as const;

export function FirstRun({ setup, onDone }: { setup: SetupState; onDone: () => void }) {
  const words = useWords('setup');
  const form = useForm({
    name: FIRST_START,
    read: { name: '', passphrase: '', company: setup.company_name ?? '', event: '', code: '' },
    secret: SECRET,
  });
  const { name, passphrase, company, event, code } = form.values;
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
      form.saved();
      keepFirstKiosk(client, kiosk);
      beginSession(client, me);
      client.setQueryData(setupQuery.queryKey, {
        needed: false,
        code_required: false,
        company_name: null,
        recovery: false,
        single_sign_on: null,
        passkeys: false,
      });
      onDone();
    },
  });
  const ready =
    name.trim() !== '' && company.trim() !== '' && !['short', 'weak'].includes(strengthOf(passphrase));
  return (
    <Entrance title={words.title} wide>
      <p className="quiet">{words.text}</p>
      <Form onSubmit={() => making.mutate()}>
        <TextInput
          label={words.company}
          description={setup.company_name === null ? words.companyHelp : words.companyAdopted}
          required
          withAsterisk={false}
          {...form.text('company')}
        />
        <TextInput
          label={words.name}
          description={words.nameHelp}
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.text('name')}
        />
        <TextInput
          label={words.event}
          description={words.eventHelp}
          placeholder={words.eventDefault}
          maxLength={MAX_EVENT_NAME_CHARS}
          {...form.text('event')}
        />
        <NewPassphrase
          label={words.passphrase}
          value={passphrase}
          onChange={(text) => form.set({ passphrase: text })}
        />
        {setup.code_required && (
          <TextInput
            label={words.code}
            description={words.codeHelp}
            required
            withAsterisk={false}
            {...form.text('code')}
          />
        )}
        <p className="quiet">{words.basics}</p>
        <ErrorLine error={making.error} />
        <Submit size="md" obstacle={ready ? null : 'incomplete'} loading={making.isPending}>
          {words.create}
        </Submit>
      </Form>
    </Entrance>
  );
}
