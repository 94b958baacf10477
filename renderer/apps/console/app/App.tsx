/** The console's outer components: theme, language, data, and the router inside. */
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../../http/load-part.ts';
import { whenAccessChanged, whenSignedOut } from '../shared/client/api.ts';
import { isReachable, subscribeToConnection } from '../shared/client/connection.ts';
import { createConsoleClient } from '../shared/client/query-client.ts';
import { endSession, meQuery } from '../shared/client/session.ts';
import { LanguageProvider } from '../shared/words.tsx';
import { theme } from '../theme/theme.ts';
import { createConsoleRouter } from './router.tsx';

const queryClient = createConsoleClient();

const router = createConsoleRouter(queryClient);

whenSignedOut(() => endSession(queryClient));
whenAccessChanged(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey }));

// After an outage everything on the page is read again.
subscribeToConnection(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});

/** After the first screen: a notice that comes earlier waits for it. The console works without, too. */
const Notices = lazyPart(
  () => import('./Notices.tsx'),
  'Notices',
  () => null,
);

export function App() {
  return (
    // Variables and classes come from stylesheets, because the policy refuses styles that Mantine would write at run
    // time.
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <DirectionProvider>
        <LanguageProvider>
          <QueryClientProvider client={queryClient}>
            <Suspense>
              <Notices />
            </Suspense>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LanguageProvider>
      </DirectionProvider>
    </MantineProvider>
  );
}
