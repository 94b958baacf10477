/** The console around a page: navigation, scope, the operator's menu, banners, palette. */
import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { session } from '../../../../server/contract/routes/console/access.ts';
import { lazyPart, loadPart } from '../../../http/load-part.ts';
import { focusPageIfLost } from '../shared/focus.ts';
import { Icon } from '../shared/icons.tsx';
import { HotkeyProvider, useFindKeys, useKeyHint } from '../shared/hotkeys.tsx';
import { ChangesProvider, useChanges } from '../shared/client/changes.tsx';
import { useFigures } from '../shared/client/queries.ts';
import { followSession, useScope, meQuery } from '../shared/client/session.ts';
import { setVenueZone } from '../shared/time/time.ts';
import { useCommonWords, useLanguage } from '../shared/words.tsx';
import { call, isSomeoneHere } from '../shared/client/api.ts';
import { useChangeSearch } from '../shared/lists/search.ts';
import { HealthBanner, MaintenanceBanner, TestBanner, UnreachableBanner } from './Banners.tsx';
import { Navigation } from './Navigation.tsx';
import { OperatorMenu } from './OperatorMenu.tsx';
import { PAGES } from './pages.ts';
import { UnsavedGuard } from './UnsavedGuard.tsx';

/** A console whose server has another version by now works without it. */
const Palette = lazyPart(
  () => import('./Palette.tsx'),
  'Palette',
  () => null,
);

/** Also loaded after the first screen. */
const NavigationDrawer = lazyPart(
  () => import('./NavigationDrawer.tsx'),
  'NavigationDrawer',
  () => null,
);

const openPalette = () => {
  loadPart(() => import('./Palette.tsx')).then(
    (part) => part.openPalette(),
    () => undefined,
  );
};

/** Nothing is drawn until the zone of its times is known; the layout effect sets it before the browser paints. */
export function Frame() {
  const { company } = useScope();
  const { zone } = useLanguage();
  useLayoutEffect(() => {
    setVenueZone(company.zone);
    return () => setVenueZone(undefined);
  }, [company.zone]);
  return zone === undefined ? null : <Page />;
}

function Page() {
  const words = useCommonWords();
  const findKeys = useFindKeys();
  const keyHint = useKeyHint();
  useHotkeys([['mod+K', openPalette]]);
  const [navigating, setNavigating] = useState(false);
  const { partition } = useScope();
  return (
    <ChangesProvider>
      <HotkeyProvider>
        <Title />
        <FocusKeeper />
        <div className="frame" data-partition={partition}>
          <a className="skip" href="#content">
            {words.navigation.skip}
          </a>
          <nav className="frame__nav" aria-label={words.navigation.label}>
            <p className="brand">
              <Icon name="door" />
              Gatehouse
            </p>
            <Navigation />
          </nav>
          <div className="frame__main">
            <header className="topbar">
              <ActionIcon
                className="topbar__menu"
                variant="subtle"
                color="gray"
                size={44}
                aria-label={words.navigation.open}
                onClick={() => setNavigating(true)}
              >
                <Icon name="menu" size={22} />
              </ActionIcon>
              <ScopeSwitch />
              <Button
                className="topbar__find"
                variant="default"
                leftSection={<Icon name="search" />}
                rightSection={keyHint(findKeys)}
                onClick={openPalette}
              >
                {words.menu.find}
              </Button>
              <OperatorMenu />
            </header>
            <UnreachableBanner />
            <MaintenanceBanner />
            <HealthBanner />
            <TestBanner />
            <main id="content" className="content" tabIndex={-1}>
              <Outlet />
            </main>
          </div>
        </div>
        <Suspense>
          <NavigationDrawer opened={navigating} onClose={() => setNavigating(false)} />
        </Suspense>
        <Suspense>
          <Palette />
        </Suspense>
        <UnsavedGuard />
        <KeepAlive />
      </HotkeyProvider>
    </ChangesProvider>
  );
}

/** The tab's title: the page, preceded by the number of waiting cases. Announces a change of page to screen readers. */
function Title() {
  const words = useCommonWords();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const waiting = useFigures().data?.waiting ?? 0;
  const page = PAGES.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  // The reviews page refreshes its own data.
  useChanges('case', ...(page?.id === 'reviews' ? [] : ['reviews']));
  const name = page === undefined ? 'Gatehouse' : words.documentTitle({ page: words.pages[page.id] });
  const title = waiting > 0 ? `(${waiting}) ${name}` : name;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const [first] = useState(page);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && page !== first) setHasMoved(true);
  return (
    <p className="visually-hidden" aria-live="polite">
      {hasMoved && page !== undefined ? words.pages[page.id] : ''}
    </p>
  );
}

/** On each new page. */
function FocusKeeper() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(pathname);
  useEffect(() => {
    const hasMoved = before.current !== undefined && before.current !== pathname;
    before.current = pathname;
    if (hasMoved) focusPageIfLost();
  }, [pathname]);
  return null;
}

const ASK_EVERY_MS = 60_000;

/**
 * An operator who reads or types for long makes no calls, so the server would end the session. While someone is active,
 * the page tells the server. Otherwise its polling finds the session ended, and the page returns to the sign-in.
 */
function KeepAlive() {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      // The reply also shows whether the operator's role has changed.
      if (isSomeoneHere(ASK_EVERY_MS)) {
        call(session.stay).then(
          (me) => followSession(client, me),
          () => undefined,
        );
      } else void client.invalidateQueries({ queryKey: meQuery.queryKey });
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [client]);
  return null;
}

/** The company, and live or test data. In the address, so that links contain it. */
function ScopeSwitch() {
  const { scope: words } = useCommonWords();
  const { company, companies, partition } = useScope();
  const change = useChangeSearch();
  const oldest = companies[0]?.company_id;
  return (
    <div className="scope">
      {companies.length === 1 ? (
        <span className="scope__company">{company.name}</span>
      ) : (
        <NativeSelect
          className="scope__company"
          aria-label={words.company}
          value={company.company_id}
          data={companies.map(({ company_id, name }) => ({ value: company_id, label: name }))}
          onChange={({ currentTarget: { value } }) =>
            change({ company: value === oldest ? undefined : value, open: undefined })
          }
        />
      )}
      <SegmentedControl
        className="scope__partition"
        aria-label={words.partition}
        value={partition}
        data={[
          { value: 'live', label: words.live },
          { value: 'test', label: words.test },
        ]}
        onChange={(value) => change({ partition: value === 'test' ? 'test' : undefined, open: undefined })}
      />
    </div>
  );
}
