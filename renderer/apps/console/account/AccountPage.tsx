/** The operator's own account: sessions, passphrase, second factor, passkeys and PIN. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../../../../server/contract/routes/console/access.ts';
import { useMe } from '../shared/client/session.ts';
import { PageHeader, ErrorLine, Said } from '../shared/states.tsx';
import { useUnsaved } from '../shared/forms/unsaved.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { call } from '../shared/client/api.ts';
import { NewPassphrase, strengthOf } from '../shared/dialogs/NewPassphrase.tsx';
import { AccountPasskeys, ownPasskeysQuery } from './AccountPasskeys.tsx';
import { AccountPin } from './AccountPin.tsx';
import { AccountSecondFactor, ownFactorQuery } from './AccountSecondFactor.tsx';
import { AccountSessions, ownSessionsQuery } from './AccountSessions.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { CurrentPassphrase } from '../shared/forms/CurrentPassphrase.tsx';

export function Page() {
  const { pages, roles } = useCommonWords();
  const { operator } = useMe();
  const reads = [useQuery(ownSessionsQuery), useQuery(ownFactorQuery), useQuery(ownPasskeysQuery)];
  // A panel that loads would move those below it away under the pointer.
  const visibility = reads.every(({ isFetched }) => isFetched) ? 'visible' : 'hidden';
  return (
    <>
      <PageHeader title={pages.account} text={`${operator.name} · ${roles[operator.role]}`} />
      <div className="panels" style={{ visibility }}>
        <AccountSessions />
        <AccountPassphrase />
        <AccountSecondFactor />
        <AccountPasskeys />
        <AccountPin />
      </div>
    </>
  );
}

function AccountPassphrase() {
  const words = useWords('account');
  const client = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useMutation({
    mutationFn: () => call(account.changePassphrase, { body: { current, next } }),
    onSuccess: (left) => {
      setCurrent('');
      setNext('');
      client.setQueryData(ownSessionsQuery.queryKey, left);
    },
  });
  // Never a draft: it is a secret.
  useUnsaved(next !== '');
  const ready = current !== '' && !['short', 'weak'].includes(strengthOf(next));
  return (
    <section className="panel" aria-labelledby="own-passphrase">
      <h2 id="own-passphrase">{words.passphraseTitle}</h2>
      <p className="quiet">{words.passphraseText}</p>
      <Form className="stack form" onSubmit={() => changing.mutate()}>
        <CurrentPassphrase label={words.current} value={current} onChange={setCurrent} />
        <NewPassphrase label={words.next} value={next} onChange={setNext} />
        <ErrorLine error={changing.error} />
        {changing.isSuccess && <Said>{words.changed}</Said>}
        <div className="row">
          <Submit variant="default" obstacle={ready ? null : 'incomplete'} loading={changing.isPending}>
            {words.change}
          </Submit>
        </div>
      </Form>
    </section>
  );
}
