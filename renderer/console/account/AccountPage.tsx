/** The operator's own account: where they are signed in, their passphrase and their PIN. */
import { AccountPassphrase } from './AccountPassphrase.tsx';
import { AccountPin } from './AccountPin.tsx';
import { AccountSessions } from './AccountSessions.tsx';
import { useMe } from '../shared/session.ts';
import { PageHeader } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';

export function Page() {
  const { pages, roles } = useCommonWords();
  const { operator } = useMe();
  return (
    <>
      <PageHeader title={pages.account} text={`${operator.name} · ${roles[operator.role]}`} />
      <div className="panels">
        <AccountSessions />
        <AccountPassphrase />
        <AccountPin />
      </div>
    </>
  );
}
