import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PASSKEY_NAME_CHARS, type Passkeys } from '../../../../server/contract/console/access.ts';
import { passkeys } from '../../../../server/contract/routes/console/access.ts';
import { loadPart } from '../../../http/load-part.ts';
import { call, reading } from '../shared/client/api.ts';
import { setupQuery } from '../shared/client/session.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Unread } from '../shared/states.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { CurrentPassphrase } from '../shared/forms/CurrentPassphrase.tsx';
import { text } from '../shared/forms/fields.ts';

export const ownPasskeysQuery = reading(['own-passkeys'], passkeys.list);

type Passkey = Passkeys['items'][number];
type Asked = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

/** The console on this machine, under the name that passkeys need. */
const localAddress = (): string => `http://localhost:${window.location.port}`;

export function AccountPasskeys() {
  const words = useWords('account').passkeys;
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const own = useQuery(ownPasskeysQuery);
  const items = own.data?.items ?? [];
  const changed = (now: Passkeys) => {
    client.setQueryData(ownPasskeysQuery.queryKey, now);
    // The sign-in page offers passkeys if there are any.
    void client.invalidateQueries({ queryKey: setupQuery.queryKey });
    setAsked(null);
  };
  const isNamed = own.data !== undefined && own.data.name_here !== null;
  const isSupported = 'PublicKeyCredential' in window;
  const dialog = { onClose: () => setAsked(null), onDone: changed };
  return (
    <section className="panel stack" aria-labelledby="own-passkeys">
      <div>
        <h2 id="own-passkeys">{words.title}</h2>
        <p className="quiet">{words.text}</p>
      </div>
      <Unread query={own} />
      {own.data !== undefined && items.length === 0 && <p>{words.none}</p>}
      {items.length > 0 && (
        <ul className="session-list">
          {items.map((passkey) => (
            <li key={passkey.passkey_id} className="session-list__row">
              <div>
                <p>
                  {passkey.name} <span className="quiet">{words.worksAt({ name: passkey.works_at })}</span>
                </p>
                <p className="quiet">
                  <TimeSentence
                    words={passkey.last_used_at === null ? words.added : words.lastUsed}
                    at={passkey.last_used_at ?? passkey.created_at}
                  />
                </p>
              </div>
              <div className="row">
                {(['rename', 'remove'] as const).map((what) => (
                  <Button
                    key={what}
                    variant="default"
                    size="xs"
                    aria-label={words[`${what}Title`]({ name: passkey.name })}
                    onClick={() => setAsked({ what, passkey })}
                  >
                    {words[what]}
                  </Button>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
      {items.length === 1 && <p className="quiet">{words.second}</p>}
      {own.data?.name_here === null && (
        <p className="quiet">{words.needsName({ address: localAddress() })}</p>
      )}
      {isNamed && !isSupported && <p className="quiet">{words.unsupported}</p>}
      {isNamed && isSupported && (
        <div>
          <Button variant="default" onClick={() => setAsked({ what: 'add' })}>
            {words.add}
          </Button>
        </div>
      )}
      {asked?.what === 'add' && <Add {...dialog} />}
      {asked?.what === 'rename' && <Rename passkey={asked.passkey} {...dialog} />}
      {asked?.what === 'remove' && <Remove passkey={asked.passkey} {...dialog} />}
    </section>
  );
}

type DialogProps = { onClose: () => void; onDone: (now: Passkeys) => void };

function Add({ onClose, onDone }: DialogProps) {
  const { current, passkeys: words } = useWords('account');
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const adding = useMutation({
    mutationFn: async () =>
      (await loadPart(() => import('../passkeys/passkeys.ts'))).addPasskey({ name, passphrase }),
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title={words.add}
      submit={words.add}
      isReady={name.trim() !== '' && passphrase !== ''}
      sending={adding}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
      <CurrentPassphrase label={current} value={passphrase} onChange={setPassphrase} />
      <p className="quiet">{words.addText}</p>
    </FormDialog>
  );
}

function Rename({ passkey, onClose, onDone }: DialogProps & { passkey: Passkey }) {
  const words = useWords('account').passkeys;
  const [name, setName] = useState(passkey.name);
  const renaming = useMutation({
    mutationFn: () => call(passkeys.rename, { params: { passkey_id: passkey.passkey_id }, body: { name } }),
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title={words.renameTitle({ name: passkey.name })}
      submit={words.rename}
      isReady={name.trim() !== ''}
      sending={renaming}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

function Remove({ passkey, onClose, onDone }: DialogProps & { passkey: Passkey }) {
  const { current, passkeys: words } = useWords('account');
  const [passphrase, setPassphrase] = useState('');
  const removing = useMutation({
    mutationFn: () =>
      call(passkeys.remove, { params: { passkey_id: passkey.passkey_id }, body: { passphrase } }),
    onSuccess: onDone,
    onError: () => setPassphrase(''),
  });
  return (
    <FormDialog
      title={words.removeTitle({ name: passkey.name })}
      submit={words.remove}
      destructive
      isReady={passphrase !== ''}
      sending={removing}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
      <CurrentPassphrase label={current} value={passphrase} onChange={setPassphrase} isFirst />
    </FormDialog>
  );
}

function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const words = useWords('account').passkeys;
  return (
    <TextInput
      label={words.name}
      description={words.nameText}
      maxLength={MAX_PASSKEY_NAME_CHARS}
      autoComplete="off"
      data-autofocus
      {...text(value, onChange)}
    />
  );
}
