import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactor } from '../../../../server/contract/routes/console/access.ts';
import type { SecondFactorState } from '../../../../server/contract/console/access.ts';
import { SetUp, CodesOnce } from '../second-factor/SetUp.tsx';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { call, reading } from '../shared/client/api.ts';
import { Fact, Facts, TimeFact } from '../shared/lists/DetailDrawer.tsx';
import { meQuery } from '../shared/client/session.ts';
import { Said, Status, Note, Unread } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { ownSessionsQuery } from './AccountSessions.tsx';
import { CurrentPassphrase } from '../shared/forms/CurrentPassphrase.tsx';

/** With this many codes left or fewer, the operator should create new ones. */
const FEW_CODES = 3;

type Asked = 'set-up' | 'remove' | 'codes';

export const ownFactorQuery = reading(['own-second-factor'], secondFactor.read);

export function AccountSecondFactor() {
  const words = useWords('second-factor');
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [removed, setRemoved] = useState(false);
  const factor = useQuery(ownFactorQuery);
  const ask = (what: Asked) => {
    setRemoved(false);
    setAsked(what);
  };
  const changed = async () => {
    setAsked(null);
    await client.invalidateQueries({ queryKey: ownFactorQuery.queryKey });
    await client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
    await client.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const state = factor.data;
  return (
    <section className="panel stack" aria-labelledby="own-second-factor">
      <div>
        <h2 id="own-second-factor">{words.title}</h2>
        <p className="quiet">{words.text}</p>
      </div>
      <Unread query={factor} />
      {state !== undefined && <FactorFacts state={state} />}
      {removed && <Said>{words.removed}</Said>}
      <div className="row">
        <Button variant="default" disabled={state === undefined} onClick={() => ask('set-up')}>
          {state?.is_on === true ? words.replace : words.setUp}
        </Button>
        {state?.is_on === true && (
          <Button variant="default" onClick={() => ask('codes')}>
            {words.newCodes}
          </Button>
        )}
        {state?.is_on === true && !state.is_required && (
          <Button variant="default" c="var(--refused)" onClick={() => ask('remove')}>
            {words.remove}
          </Button>
        )}
      </div>
      {asked === 'set-up' && <SetUpDialog onClose={() => setAsked(null)} onDone={() => void changed()} />}
      {asked === 'codes' && <NewCodes onClose={() => setAsked(null)} onDone={() => void changed()} />}
      {asked === 'remove' && (
        <Remove
          onClose={() => setAsked(null)}
          onDone={() => {
            setRemoved(true);
            void changed();
          }}
        />
      )}
    </section>
  );
}

function FactorFacts({ state }: { state: SecondFactorState }) {
  const words = useWords('second-factor');
  if (!state.is_on) {
    return (
      <div>
        <Status tone="quiet">{words.off}</Status>
      </div>
    );
  }
  return (
    <>
      <Facts>
        <Fact term={words.title}>
          <Status tone="passed">{words.on}</Status>
        </Fact>
        <TimeFact term={words.since} at={state.enrolled_at} />
        <Fact term={words.codesLeft}>{state.recovery_codes_left}</Fact>
      </Facts>
      {state.recovery_codes_left < FEW_CODES && <Note>{words.fewCodes}</Note>}
    </>
  );
}

type DialogProps = { onClose: () => void; onDone: () => void };

function SetUpDialog({ onClose, onDone }: DialogProps) {
  const words = useWords('second-factor');
  const { actions } = useCommonWords();
  const [hasCodes, setHasCodes] = useState(false);
  return (
    <Dialog
      size={520}
      title={hasCodes ? words.codesTitle : words.title}
      onClose={hasCodes ? onDone : onClose}
      // Once codes are shown, an accidental click must not lose them.
      withCloseButton={!hasCodes}
      closeOnEscape={!hasCodes}
      closeOnClickOutside={false}
    >
      <SetUp
        onDone={onDone}
        onCodes={() => setHasCodes(true)}
        leave={
          <Button variant="default" onClick={onClose}>
            {actions.cancel}
          </Button>
        }
      />
    </Dialog>
  );
}

function NewCodes({ onClose, onDone }: DialogProps) {
  const words = useWords('second-factor');
  const [passphrase, setPassphrase] = useState('');
  const making = useMutation({
    mutationFn: () => call(secondFactor.renewRecoveryCodes, { body: { passphrase } }),
    onError: () => setPassphrase(''),
  });
  if (making.data !== undefined) {
    return (
      <Dialog
        size={520}
        title={words.codesTitle}
        onClose={onDone}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <CodesOnce codes={making.data.codes} onDone={onDone} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.newCodes}
      submit={words.newCodes}
      isReady={passphrase !== ''}
      sending={making}
      onClose={onClose}
    >
      <p>{words.newCodesText}</p>
      <CurrentPassphrase label={words.passphrase} value={passphrase} onChange={setPassphrase} isFirst />
    </FormDialog>
  );
}

function Remove({ onClose, onDone }: DialogProps) {
  const words = useWords('second-factor');
  const [passphrase, setPassphrase] = useState('');
  const removing = useMutation({
    mutationFn: () => call(secondFactor.remove, { body: { passphrase } }),
    onSuccess: onDone,
    onError: () => setPassphrase(''),
  });
  return (
    <FormDialog
      title={words.remove}
      submit={words.remove}
      destructive
      isReady={passphrase !== ''}
      sending={removing}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
      <CurrentPassphrase label={words.passphrase} value={passphrase} onChange={setPassphrase} isFirst />
    </FormDialog>
  );
}
