/** Ctrl-K: people, sessions, events and keys; pages, tasks, settings and actions. Loaded after the page. */
import { useMantineColorScheme } from '@mantine/core';
import {
  isActionsGroup,
  Spotlight,
  spotlight,
  type SpotlightActionGroupData,
  type SpotlightProps,
} from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { find, type Found } from '../../../../server/contract/routes/console/find.ts';
import { focusPageIfLost } from '../shared/focus.ts';
import { reading } from '../shared/client/api.ts';
import { Icon } from '../shared/icons.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, signOut, useScopeFilter } from '../shared/client/session.ts';
import { longDay } from '../shared/time/time.ts';
import { useCommonWords, useLanguage } from '../shared/words.tsx';
import { jumpsFor, LEAST_SEARCH_CHARS, searchesFor, tasksOn, withoutSecret } from './jumps.ts';
import { useVisiblePages } from './pages.ts';

const PAGE_OF = {
  person: 'people',
  session: 'sessions',
  event: 'events',
  key: 'keys',
  request: 'audit',
} as const;
const TYPED_MS = 200;
const FOUND_STALE_MS = 10_000;

/** Records that the server finds for the typed text; `isCurrent` is false until it has answered for this text. */
function useFound(typed: string): { items: readonly Found[]; isCurrent: boolean } {
  const query = useScopeFilter();
  const [settled] = useDebouncedValue(typed.trim(), TYPED_MS);
  const isLongEnough = settled.length >= LEAST_SEARCH_CHARS;
  const { data, isPlaceholderData, isPending } = useQuery({
    ...reading(['find', query, settled], find.records, { query: { ...query, q: withoutSecret(settled) } }),
    enabled: isLongEnough,
    staleTime: FOUND_STALE_MS,
    placeholderData: keepPreviousData,
  });
  return {
    items: isLongEnough && typed.trim() !== '' ? (data?.items ?? []) : [],
    isCurrent: settled === typed.trim() && !isPlaceholderData && !(isLongEnough && isPending),
  };
}

/**
 * Spotlight selects the first entry at each keystroke. Selects the first one again if records that arrive later come
 * before it, unless an arrow key has chosen another.
 * @returns for the keys pressed in the field
 */
function useSelected(typed: string): (event: { key: string }) => void {
  const [movedAt, setMovedAt] = useState<string | null>(null);
  useEffect(() => {
    if (typed === '' || movedAt === typed) return;
    const [first, ...others] = document.querySelectorAll('[data-action]');
    for (const other of others) other.removeAttribute('data-selected');
    first?.setAttribute('data-selected', 'true');
  });
  return ({ key }) => {
    if (key === 'ArrowDown' || key === 'ArrowUp') setMovedAt(typed);
  };
}

/** Keeps the order of the groups, so that a found record comes before the searches that repeat what was typed. */
const matching: NonNullable<SpotlightProps['filter']> = (query, groups) => {
  const sought = query.trim().toLowerCase();
  return groups.filter(isActionsGroup).flatMap((group) => {
    const actions = group.actions.filter(({ label = '', keywords = '' }) =>
      [label, ...[keywords].flat()].some((text) => text.trim().toLowerCase().includes(sought)),
    );
    return actions.length === 0 ? [] : [{ ...group, actions }];
  });
};

/** A call is found among the entries of its key on its day; anything else is opened. */
const placeOf = ({ kind, id, detail }: Found): Record<string, string> =>
  kind === 'request'
    ? {
        actor: id,
        by: 'all',
        ...(detail !== null && { from: detail.slice(0, DAY_CHARS), to: detail.slice(0, DAY_CHARS) }),
      }
    : { open: id };
/** `YYYY-MM-DD` */
const DAY_CHARS = 10;

export const openPalette = spotlight.open;

export function Palette() {
  const words = useCommonWords();
  const pages = useVisiblePages();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { language } = useLanguage();
  const search = scopeSearch(useSearch());
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [typed, setTyped] = useState('');
  const go = (to: string, more: Record<string, string> = {}) =>
    void navigate({ to, search: { ...search, ...more } });

  const descriptionOf = ({ kind, detail }: Found): string => {
    const what = words.palette.kinds[kind];
    if (detail === null) return what;
    return `${what} · ${kind === 'person' ? detail : longDay(detail, language)}`;
  };
  const { items: found, isCurrent } = useFound(typed);
  const onKeyDown = useSelected(typed);
  const records: SpotlightActionGroupData = {
    group: words.palette.found,
    actions: found.map((item) => ({
      id: `found-${item.kind}-${item.id}`,
      label: item.title ?? item.id,
      description: descriptionOf(item),
      // The server can match what the label does not show. Records of the text before have to match by their label.
      keywords: isCurrent ? [typed] : [],
      leftSection: <Icon name={PAGE_OF[item.kind]} />,
      onClick: () => go(`/${PAGE_OF[item.kind]}`, placeOf(item)),
    })),
  };
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
  const known = isCurrent && found.length > 0 ? [records] : [records, jumps];
  const actions: SpotlightActionGroupData[] = [
    ...known,
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
          label: words.menu.themeIs({ scheme: words.menu[scheme] }),
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
    // Once the server has answered: until then the first hit may be on its way.
    ...(isCurrent ? [searches] : []),
  ];
  return (
    <Spotlight
      actions={actions}
      filter={matching}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      // The field, which has the focus, is in the document until the change that removes it is complete.
      onExitTransitionEnd={() => setTimeout(focusPageIfLost)}
      nothingFound={isCurrent ? words.palette.nothing : words.table.loading}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        onKeyDown,
        placeholder: words.palette.placeholder,
        'aria-label': words.palette.placeholder,
        leftSection: <Icon name="search" />,
      }}
    />
  );
}
