/** The operator's own account: sessions, passphrase, second factor and PIN. */
import { AccountPassphrase } from './AccountPassphrase.tsx';
import { AccountPin } from './AccountPin.tsx';
import { AccountSecondFactor } from './AccountSecondFactor.tsx';
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
        <AccountSecondFactor />
        <AccountPin />
      </div>
    </>
  );
}
