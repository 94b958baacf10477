import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { secondFactor } from '../../../../server/contract/routes/console/access.ts';
import { MAX_CODE_CHARS, type SecondFactorEnrolment } from '../../../../server/contract/console/access.ts';
import { Qr } from '../../../ui/Qr.tsx';
import { call } from '../shared/client/api.ts';
import { CopyButton } from '../shared/copy.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { ShownOnce } from '../shared/dialogs/ShownOnce.tsx';
import './second-factor.css';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { CurrentPassphrase } from '../shared/forms/CurrentPassphrase.tsx';
import { text } from '../shared/forms/fields.ts';

type SetUpProps = {
  /** The recovery codes are stored, and the second factor is on. */
  onDone: () => void;
  /** Codes have been created: leaving now would lose them. */
  onCodes?: () => void;
  /** Shown next to the continue button until there are codes. */
  leave?: ReactNode;
};

/** Passphrase, QR code with a first code, recovery codes: in this order. */
export function SetUp({ onDone, onCodes, leave }: SetUpProps) {
  const [enrolment, setEnrolment] = useState<SecondFactorEnrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <CodesOnce codes={codes} onDone={onDone} />;
  if (enrolment === null) return <AskPassphrase onBegun={setEnrolment} leave={leave} />;
  return (
    <AskCode
      enrolment={enrolment}
      leave={leave}
      onConfirmed={(made) => {
        setCodes(made);
        onCodes?.();
      }}
    />
  );
}

function AskPassphrase({
  onBegun,
  leave,
}: {
  onBegun: (enrolment: SecondFactorEnrolment) => void;
  leave: ReactNode;
}) {
  const words = useWords('second-factor');
  const [passphrase, setPassphrase] = useState('');
  const beginning = useMutation({
    mutationFn: () => call(secondFactor.begin, { body: { passphrase } }),
    onSuccess: onBegun,
    onError: () => setPassphrase(''),
  });
  return (
    <Form onSubmit={() => beginning.mutate()}>
      <CurrentPassphrase label={words.passphrase} value={passphrase} onChange={setPassphrase} isFirst />
      <ErrorLine error={beginning.error} />
      <div className="dialog-actions">
        {leave}
        <Submit obstacle={passphrase === '' ? 'incomplete' : null} loading={beginning.isPending}>
          {words.next}
        </Submit>
      </div>
    </Form>
  );
}

function AskCode({
  enrolment,
  onConfirmed,
  leave,
}: {
  enrolment: SecondFactorEnrolment;
  onConfirmed: (codes: readonly string[]) => void;
  leave: ReactNode;
}) {
  const words = useWords('second-factor');
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const confirming = useMutation({
    mutationFn: () => call(secondFactor.confirm, { body: { code } }),
    onSuccess: ({ codes }) => onConfirmed(codes),
    onError: () => setCode(''),
  });
  return (
    <Form onSubmit={() => confirming.mutate()}>
      <p>{words.scan}</p>
      <div className="second-factor__enrol">
        <Qr text={enrolment.uri} label={words.qr} />
        <dl className="second-factor__secret">
          <dt className="quiet">{words.secret}</dt>
          <dd>
            <code>{inGroups(enrolment.secret)}</code>
            <CopyButton value={enrolment.secret} label={words.secret} />
          </dd>
        </dl>
      </div>
      <TextInput
        ref={field}
        label={words.code}
        description={words.codeHelp}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={MAX_CODE_CHARS}
        {...text(code, setCode)}
      />
      <p className="quiet">{words.othersEnd}</p>
      <ErrorLine error={confirming.error} />
      <div className="dialog-actions">
        {leave}
        <Submit obstacle={code.trim() === '' ? 'incomplete' : null} loading={confirming.isPending}>
          {words.confirm}
        </Submit>
      </div>
    </Form>
  );
}

/** Easier to read and type. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** New recovery codes. */
export function CodesOnce({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const words = useWords('second-factor');
  return (
    <ShownOnce warning={words.codesWarning} confirm={words.stored} done={words.done} onDone={onDone}>
      <div className="second-factor__codes">
        <ol aria-label={words.codesTitle}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <CopyButton value={codes.join('\n')} label={words.copyCodes} />
      </div>
    </ShownOnce>
  );
}
