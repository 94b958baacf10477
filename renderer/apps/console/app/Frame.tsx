/** The console around a page: navigation, scope, the operator's menu, banners, palette. */
import { ActionIcon, Button, Drawer, Kbd } from '@mantine/core';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { Icon } from '../shared/icons.tsx';
import { HotkeyProvider } from '../shared/hotkeys.tsx';
import { LiveProvider, useLive } from '../shared/live.tsx';
import { useFigures } from '../shared/review-figures.ts';
import { useScope } from '../shared/session.ts';
import { useCommonWords } from '../shared/words.tsx';
import { CleanUpBanner, MaintenanceBanner, TestBanner, UnreachableBanner } from './Banners.tsx';
import { KeepAlive } from './KeepAlive.tsx';
import { Navigation } from './Navigation.tsx';
import { OperatorMenu } from './OperatorMenu.tsx';
import { Palette } from './Palette.tsx';
import { ScopeSwitch } from './ScopeSwitch.tsx';
import { PAGES } from './pages.ts';

export function Frame() {
  const words = useCommonWords();
  const [navigating, setNavigating] = useState(false);
  const { partition } = useScope();
  return (
    <LiveProvider>
      <HotkeyProvider>
        <Title />
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
                rightSection={<Kbd size="xs">Ctrl K</Kbd>}
                onClick={spotlight.open}
              >
                {words.menu.find}
              </Button>
              <OperatorMenu />
            </header>
            <UnreachableBanner />
            <MaintenanceBanner />
            <CleanUpBanner />
            <TestBanner />
            <main id="content" className="content" tabIndex={-1}>
              <Outlet />
            </main>
          </div>
        </div>
        <Drawer
          opened={navigating}
          onClose={() => setNavigating(false)}
          size={280}
          title="Gatehouse"
          closeButtonProps={{ 'aria-label': words.navigation.close }}
        >
          <nav aria-label={words.navigation.label}>
            <Navigation onNavigate={() => setNavigating(false)} />
          </nav>
        </Drawer>
        <Palette />
        <KeepAlive />
      </HotkeyProvider>
    </LiveProvider>
  );
}

/** The tab's title: the page, preceded by the number of waiting cases. */
function Title() {
  const words = useCommonWords();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const waiting = useFigures().data?.waiting ?? 0;
  const page = PAGES.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  // The reviews page refreshes its own data.
  useLive('case', ...(page?.id === 'reviews' ? [] : ['reviews']));
  const name = page === undefined ? 'Gatehouse' : words.documentTitle({ page: words.pages[page.id] });
  const title = waiting > 0 ? `(${waiting}) ${name}` : name;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
