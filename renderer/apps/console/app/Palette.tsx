/** Ctrl-K: pages, actions, and a jump to whatever an id names. */
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../shared/icons.tsx';
import { useSearch } from '../shared/search.ts';
import { scopeSearch, signOut } from '../shared/session.ts';
import { useCommonWords } from '../shared/words.tsx';
import { jumpsFor } from './jumps.ts';
import { useVisiblePages } from './use-visible-pages.ts';

export function Palette() {
  const words = useCommonWords();
  const pages = useVisiblePages();
  const navigate = useNavigate();
  const client = useQueryClient();
  const search = scopeSearch(useSearch());
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [typed, setTyped] = useState('');
  const go = (to: string, more: Record<string, string> = {}) =>
    void navigate({ to, search: { ...search, ...more } });

  const jumps: SpotlightActionGroupData = {
    group: words.palette.jump,
    actions: jumpsFor(typed, pages).map(({ page, id }) => ({
      id: `jump-${page.id}`,
      label: words.palette[page.id === 'people' ? 'person' : 'session']({ id }),
      keywords: [id],
      leftSection: <Icon name={page.id} />,
      onClick: () => go(page.path, { open: id }),
    })),
  };
  const actions: SpotlightActionGroupData[] = [
    ...(jumps.actions.length === 0 ? [] : [jumps]),
    {
      group: words.palette.pages,
      actions: pages.map(({ id, path }) => ({
        id,
        label: words.pages[id],
        leftSection: <Icon name={id} />,
        onClick: () => go(path),
      })),
    },
    {
      group: words.palette.actions,
      actions: [
        ...(pages.some(({ id }) => id === 'settings')
          ? [
              {
                id: 'system',
                label: words.palette.system,
                leftSection: <Icon name="settings" />,
                onClick: () => go('/settings', { section: 'system' }),
              },
            ]
          : []),
        {
          id: 'account',
          label: words.menu.account,
          leftSection: <Icon name="account" />,
          onClick: () => go('/account'),
        },
        ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
          id: `theme-${scheme}`,
          label: `${words.menu.theme}: ${words.menu[scheme]}`,
          leftSection: <Icon name="look" />,
          onClick: () => setColorScheme(scheme),
        })),
        {
          id: 'sign-out',
          label: words.menu.signOut,
          leftSection: <Icon name="out" />,
          onClick: () => void signOut(client),
        },
      ],
    },
  ];
  return (
    <Spotlight
      actions={actions}
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      nothingFound={words.palette.nothing}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        placeholder: words.palette.placeholder,
        'aria-label': words.palette.placeholder,
        leftSection: <Icon name="search" />,
      }}
    />
  );
}
