/** First start, sign-in, or the console. All at the requested address, so that signing in leads back to it. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { lazyPart } from '../../../http/load-part.ts';
import { useReachable } from '../shared/client/connection.ts';
import { companiesQuery, meQuery, setupQuery } from '../shared/client/session.ts';
import { ErrorState, PageSkeleton } from '../shared/states.tsx';
import { Frame } from './Frame.tsx';
import { SignIn } from './SignIn.tsx';
import { UnreachableBanner } from './Banners.tsx';

const FirstRun = lazyPart(() => import('./FirstRun.tsx'), 'FirstRun');

const Recover = lazyPart(() => import('./Recover.tsx'), 'Recover');

const OidcReturn = lazyPart(() => import('./OidcReturn.tsx'), 'OidcReturn');

const SecondFactorNeeded = lazyPart(() => import('./SecondFactorNeeded.tsx'), 'SecondFactorNeeded');

export function Gate() {
  const setup = useQuery(setupQuery);
  const me = useQuery(meQuery);
  const reachable = useReachable();
  // The wizard signs in half-way, so it stays until its last step is done.
  const [inWizard, setInWizard] = useState(false);
  const [wasSignedIn, setWasSignedIn] = useState(false);
  const [recovery, setRecovery] = useState<'left' | 'done' | null>(null);
  const [returned, setReturned] = useState(() =>
    window.location.pathname === '/oidc' ? window.location.search.slice(1) : null,
  );
  const navigate = useNavigate();
  const forget = useEffectEvent(() => {
    // The code of a sign-in is a secret for a moment, so it stays neither in the address nor in the history.
    if (returned !== null) void navigate({ to: '/', replace: true });
  });
  useEffect(() => forget(), []);
  if (me.data !== null && me.data !== undefined && !wasSignedIn) {
    setWasSignedIn(true);
    setReturned(null);
  }
  if (setup.data?.needed === true && !inWizard) setInWizard(true);

  if (setup.isPending || me.isPending) return <Opening />;
  if (setup.data === undefined || me.data === undefined) {
    return reachable ? (
      <ErrorState
        error={setup.error ?? me.error}
        retry={() => {
          void setup.refetch();
          void me.refetch();
        }}
      />
    ) : (
      <UnreachableBanner />
    );
  }
  if (inWizard) {
    return (
      <Suspense fallback={<Opening />}>
        <FirstRun setup={setup.data} onDone={() => setInWizard(false)} />
      </Suspense>
    );
  }
  if (me.data === null && setup.data.recovery && recovery === null) {
    return (
      <Suspense fallback={<Opening />}>
        <Recover onLeave={(hasRecovered) => setRecovery(hasRecovered ? 'done' : 'left')} />
      </Suspense>
    );
  }
  if (me.data === null && returned !== null) {
    return (
      <Suspense fallback={<Opening />}>
        <OidcReturn query={returned} onLeave={() => setReturned(null)} />
      </Suspense>
    );
  }
  if (me.data === null) {
    const { passkeys, single_sign_on: provider } = setup.data;
    return (
      <SignIn
        ended={wasSignedIn}
        hasRecovered={recovery === 'done'}
        passkeys={passkeys}
        provider={provider}
      />
    );
  }
  const { is_required: isRequired, is_on: isOn } = me.data.second_factor;
  if (isRequired && !isOn) {
    return (
      <Suspense fallback={<Opening />}>
        <SecondFactorNeeded />
      </Suspense>
    );
  }
  return (
    <Suspense fallback={<Opening />}>
      <WithCompanies />
    </Suspense>
  );
}

const NoCompany = lazyPart(() => import('./NoCompany.tsx'), 'NoCompany');

function WithCompanies() {
  const { items } = useSuspenseQuery(companiesQuery).data;
  return items.length === 0 ? <NoCompany /> : <Frame />;
}

const Opening = () => (
  <div className="opening">
    <PageSkeleton />
  </div>
);
