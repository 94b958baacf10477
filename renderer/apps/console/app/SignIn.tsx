import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { MAX_CODE_CHARS } from '../../../../server/contract/console/access.ts';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { RequestError } from '../../../http/request-error.ts';
import { loadPart } from '../../../http/load-part.ts';
import { call } from '../shared/client/api.ts';
import { beginSession } from '../shared/client/session.ts';
import { ErrorLine, Note } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';
import { Form } from '../shared/forms/Submit.tsx';
import { text } from '../shared/forms/fields.ts';
import { Entrance } from './Entrance.tsx';

const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof RequestError && error.code === code;

/** The window of the desktop app shows the console and nothing else. */
const IS_APP = /Electron\//.test(navigator.userAgent);

/**
 * @param ended true if a session on this page has just ended
 * @param hasRecovered true if a new passphrase has just been set by the recovery phrase
 * @param passkeys true if somebody can sign in with one here
 * @param provider name of the identity provider; null without one
 */
export function SignIn({
  ended,
  hasRecovered,
  passkeys,
  provider,
}: {
  ended: boolean;
  hasRecovered: boolean;
  passkeys: boolean;
  provider: string | null;
}) {
  const words = useCommonWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const signingIn = useMutation({
    mutationFn: (code: string | null) =>
      call(session.signIn, { body: { name, passphrase, ...(code === null ? {} : { code }) } }),
    onSuccess: (me) => beginSession(client, me),
    onError: (error, code) => {
      // Passphrase and code are sent together, so the page keeps the passphrase until it has the code.
      if (isRefusal(error, 'code_required')) setAsksCode(true);
      else if (code === null && !isRefusal(error, 'locked_out')) setPassphrase('');
    },
  });
  const usingPasskey = useMutation({
    mutationFn: async () => (await loadPart(() => import('../passkeys/passkeys.ts'))).signInWithPasskey(),
    onMutate: () => signingIn.reset(),
    onSuccess: (me) => beginSession(client, me),
  });
  const leaving = useMutation({
    mutationFn: () => call(session.beginOidc),
    onMutate: () => signingIn.reset(),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const leaveCode = () => {
    setAsksCode(false);
    setPassphrase('');
    signingIn.reset();
  };
  if (asksCode) {
    return (
      <CodeStep
        error={isRefusal(signingIn.error, 'code_required') ? null : signingIn.error}
        isPending={signingIn.isPending}
        onCode={(code) => signingIn.mutate(code)}
        onBack={leaveCode}
      />
    );
  }
  const isLocked = isRefusal(signingIn.error, 'locked_out');
  return (
    <Entrance title={words.signIn.title}>
      {(ended || hasRecovered) && signingIn.error === null && (
        <Note tone="action" icon="info" role="status">
          {hasRecovered ? words.signIn.recovered : words.signIn.ended}
        </Note>
      )}
      <Form
        onSubmit={() => {
          usingPasskey.reset();
          leaving.reset();
          signingIn.mutate(null);
        }}
      >
        <TextInput
          label={words.signIn.name}
          autoComplete="username"
          required
          withAsterisk={false}
          ref={field}
          {...text(name, setName)}
        />
        <PasswordInput
          label={words.signIn.passphrase}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...text(passphrase, setPassphrase)}
        />
        <ErrorLine error={signingIn.error ?? usingPasskey.error ?? leaving.error} />
        <Button type="submit" size="md" loading={signingIn.isPending}>
          {words.signIn.submit}
        </Button>
        {passkeys && 'PublicKeyCredential' in window && (
          <Button
            variant="default"
            size="md"
            loading={usingPasskey.isPending}
            onClick={() => {
              leaving.reset();
              usingPasskey.mutate();
            }}
          >
            {words.signIn.passkey}
          </Button>
        )}
        {provider !== null && !IS_APP && (
          <Button
            variant="default"
            size="md"
            loading={leaving.isPending || leaving.isSuccess}
            onClick={() => {
              usingPasskey.reset();
              leaving.mutate();
            }}
          >
            {words.signIn.provider({ provider })}
          </Button>
        )}
        {IS_APP && (
          <p className="quiet">
            {words.signIn.inBrowser({ address: `http://localhost:${window.location.port}` })}
          </p>
        )}
        <p className="quiet">{words.signIn.forgotten}</p>
        {isLocked && passphrase !== '' && (
          <Button
            variant="default"
            size="md"
            onClick={() => {
              signingIn.reset();
              setAsksCode(true);
            }}
          >
            {words.signIn.useCode}
          </Button>
        )}
      </Form>
    </Entrance>
  );
}

function CodeStep({
  error,
  isPending,
  onCode,
  onBack,
}: {
  error: unknown;
  isPending: boolean;
  onCode: (code: string) => void;
  onBack: () => void;
}) {
  const { signIn: words } = useCommonWords();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Entrance title={words.title}>
      <Form
        onSubmit={() => {
          onCode(code);
          setCode('');
        }}
      >
        <TextInput
          ref={field}
          label={words.code}
          description={words.codeText}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          maxLength={MAX_CODE_CHARS}
          {...text(code, setCode)}
        />
        <ErrorLine error={error} />
        <Button type="submit" size="md" loading={isPending}>
          {words.submit}
        </Button>
        <Button variant="default" size="md" onClick={onBack}>
          {words.back}
        </Button>
      </Form>
    </Entrance>
  );
}
