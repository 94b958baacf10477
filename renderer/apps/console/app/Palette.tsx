/** Ctrl-K: pages, tasks, settings and actions; records by their id; and a search for people and tickets. */
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../shared/icons.tsx';
import { useSearch } from '../shared/search.ts';
import { scopeSearch, signOut } from '../shared/session.ts';
import { useCommonWords } from '../shared/words.tsx';
import { jumpsFor, searchesFor, tasksOn } from './jumps.ts';
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
    actions: jumpsFor(typed, pages).map(({ page, path, text }) => ({
      id: `jump-${page}`,
      label: words.palette[page === 'people' ? 'person' : 'session']({ id: text }),
      keywords: [text],
      leftSection: <Icon name={page} />,
      onClick: () => go(path, { open: text }),
    })),
  };
  const searches: SpotlightActionGroupData = {
    group: words.palette.records,
    actions: searchesFor(typed, pages).map(({ page, path, text }) => ({
      id: `search-${page}`,
      label: words.palette.search[page]({ text }),
      keywords: [typed],
      leftSection: <Icon name={page} />,
      onClick: () => go(path, { q: text }),
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
        ...tasksOn(pages).map(({ id, page, section }) => ({
          id: `task-${id}`,
          label: words.palette.tasks[id],
          leftSection: <Icon name={pages.find((each) => each.id === page)?.id ?? 'search'} />,
          onClick: () => go(`/${page}`, section === undefined ? {} : { section }),
        })),
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
    ...(searches.actions.length === 0 ? [] : [searches]),
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
