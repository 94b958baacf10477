/** The console's outer components: theme, language, data, and the router inside. */
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { LanguageProvider } from '../shared/words.tsx';
import { theme } from '../theme/theme.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

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
            <Notifications position="bottom-center" />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LanguageProvider>
      </DirectionProvider>
    </MantineProvider>
  );
}
