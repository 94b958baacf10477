/** The first start: the first admin, the company, and its keys, which are shown this once. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setup as setupRoutes } from '../../../../server/contract/routes/console/access.ts';
import { system } from '../../../../server/contract/routes/console/system.ts';
import type { SetupResponse, SetupState } from '../../../../server/contract/console/access.ts';
import { UnreachableBanner } from '../app/Banners.tsx';
import { Entrance } from '../app/Entrance.tsx';
import { call, setCsrfToken } from '../shared/api.ts';
import { CopyOnce } from '../shared/copy.tsx';
import { NewPassphrase } from '../shared/NewPassphrase.tsx';
import { strengthOf } from '../shared/passphrase.ts';
import { beginSession, setupQuery } from '../shared/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const KEYS = ['pk_live', 'sk_live', 'ak_live', 'pk_test', 'sk_test', 'ak_test'] as const;

export function FirstRun({ setup, onDone }: { setup: SetupState; onDone: () => void }) {
  const [made, setMade] = useState<SetupResponse | null>(null);
  return made === null ? (
    <AdminAndCompany setup={setup} onMade={setMade} />
  ) : (
    <Keys made={made} onDone={onDone} />
  );
}

function AdminAndCompany({ setup, onMade }: { setup: SetupState; onMade: (made: SetupResponse) => void }) {
  const words = useWords('setup');
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [company, setCompany] = useState(setup.company_name ?? '');
  const [code, setCode] = useState('');
  const making = useMutation({
    mutationFn: () =>
      call(setupRoutes.create, {
        body: {
          name: name.trim(),
          passphrase,
          company_name: company.trim(),
          ...(setup.code_required ? { setup_code: code.trim() } : {}),
        },
      }),
    onSuccess: onMade,
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

function Keys({ made, onDone }: { made: SetupResponse; onDone: () => void }) {
  const words = useWords('setup');
  const client = useQueryClient();
  const [stored, setStored] = useState(false);
  const [demo, setDemo] = useState(false);
  const finishing = useMutation({
    mutationFn: async () => {
      // The demo is the new admin's own first deed.
      setCsrfToken(made.me.csrf_token);
      if (demo) await call(system.makeDemo);
    },
    onSuccess: () => {
      finish();
    },
  });
  const finish = () => {
    beginSession(client, made.me);
    client.setQueryData(setupQuery.queryKey, { needed: false, code_required: false, company_name: null });
    onDone();
  };
  return (
    <Entrance title={words.keysTitle} wide banner={<UnreachableBanner />}>
      <p className="quiet">{made.adopted ? words.keysAdopted : words.keysText}</p>
      <CopyOnce
        secrets={KEYS.map((kind) => ({ label: words.keys[kind], value: made.keys[kind] }))}
        warning={words.keysWarning}
        confirm={words.keysStored}
        stored={stored}
        onStored={setStored}
      />
      {/* Refused until a required second factor is set up, which comes after this page. */}
      {!made.me.second_factor.is_required && (
        <Checkbox
          label={words.demo}
          description={words.demoHelp}
          checked={demo}
          onChange={({ currentTarget }) => setDemo(currentTarget.checked)}
        />
      )}
      <ErrorLine error={finishing.error} />
      <Button size="md" disabled={!stored} loading={finishing.isPending} onClick={() => finishing.mutate()}>
        {words.finish}
      </Button>
    </Entrance>
  );
}
