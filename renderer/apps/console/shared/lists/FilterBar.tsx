/** A list's filters: one line, in the address, and saved by name. */
import { ActionIcon, Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { MAX_FILTER_NAME_CHARS, type SavedFilter } from '../../../../../server/contract/console/access.ts';
import { savedFilters } from '../../../../../server/contract/routes/console/access.ts';
import { call, reading } from '../client/api.ts';
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx';
import { Icon } from '../icons.tsx';
import { parseSearch, stringifySearch, useChangeSearch, useSearch } from './search.ts';
import { Submit, Form } from '../forms/Submit.tsx';
import { ErrorLine } from '../states.tsx';
import { useCommonWords } from '../words.tsx';
import { text } from '../forms/fields.ts';

export type Filter =
  | {
      kind: 'text';
      name: string;
      label: string;
      placeholder?: string;
      /** Offered while typing; anything else can be typed as well. */
      offers?: readonly string[];
    }
  | {
      kind: 'choice';
      name: string;
      label: string;
      choices: readonly (readonly [value: string, label: string])[];
      /** Shown while the address has none. */
      usual?: string;
    }
  | { kind: 'day'; name: string; label: string };

/** Typing has ended after this time without a key. */
const TYPED_MS = 300;

/** @param page identifies the list under which filters are saved */
export function FilterBar({ page, filters }: { page: string; filters: readonly Filter[] }) {
  const words = useCommonWords();
  const search = useSearch();
  const change = useChangeSearch();
  const present = Object.fromEntries(
    filters.flatMap(({ name }) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );
  const saved = useQuery(savedFiltersQuery);
  const isFiltered = Object.keys(present).length > 0;
  const none = Object.fromEntries(filters.map(({ name }) => [name, undefined]));
  return (
    <div className="filters" role="search" aria-busy={saved.isPending}>
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          onChange={(value) => change({ [filter.name]: value === '' ? undefined : value }, { replace: true })}
        />
      ))}
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={() => change(none)}>
          {words.actions.clear}
        </Button>
      )}
      {!saved.isPending && (
        <SavedFilterList
          page={page}
          saved={saved.data?.items ?? []}
          query={stringifySearch(present)}
          onUse={(query) => change({ ...none, ...parseSearch(query) })}
        />
      )}
    </div>
  );
}

type FieldProps = { filter: Filter; value: string; onChange: (value: string) => void };

function FilterField({ filter, value, onChange }: FieldProps) {
  if (filter.kind === 'text') return <TextFilter filter={filter} value={value} onChange={onChange} />;
  if (filter.kind === 'day') {
    return <TextInput size="xs" type="date" label={filter.label} {...text(value, onChange)} />;
  }
  return (
    <NativeSelect
      size="xs"
      label={filter.label}
      value={value === '' ? (filter.usual ?? '') : value}
      data={filter.choices.map(([choice, label]) => ({ value: choice, label }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function TextFilter({ filter, value, onChange }: FieldProps & { filter: Filter & { kind: 'text' } }) {
  const [typed, setTyped] = useState(value);
  /** What the address has, or will have once the page follows. */
  const [sent, setSent] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    // The address changed for another reason: "back", or a saved filter. What was typed meanwhile stays otherwise.
    if (value !== sent) {
      setSent(value);
      setTyped(value);
    }
  }
  useEffect(() => {
    if (typed.trim() === sent) return undefined;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      onChange(typed.trim());
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, onChange]);
  const offersId = useId();
  return (
    <>
      <TextInput
        size="xs"
        className={filter.name === 'q' ? 'filter--search' : ''}
        label={filter.label}
        placeholder={filter.placeholder ?? ''}
        list={filter.offers && offersId}
        {...text(typed, setTyped)}
      />
      {filter.offers && (
        <datalist id={offersId}>
          {filter.offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </>
  );
}

const SAVED_STALE_MS = 300_000;

const savedFiltersQuery = queryOptions({
  ...reading(['saved-filters'], savedFilters.list),
  // Of all pages; only their operator changes them.
  staleTime: SAVED_STALE_MS,
});

type SavedProps = {
  page: string;
  saved: readonly SavedFilter[];
  query: string;
  onUse: (query: string) => void;
};

function SavedFilterList({ page, saved, query, onUse }: SavedProps) {
  const words = useCommonWords();
  const client = useQueryClient();
  const again = () => client.invalidateQueries(savedFiltersQuery);
  const [removing, setRemoving] = useState<{ id: string; name: string } | null>(null);
  const mine = saved.filter((filter) => filter.page === page);
  return (
    <>
      {mine.map(({ filter_id, name, query: kept }) => (
        <span key={filter_id} className="saved-filter">
          <Button variant="light" size="xs" onClick={() => onUse(kept)}>
            {name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={words.actions.removeFilter({ name })}
            onClick={() => setRemoving({ id: filter_id, name })}
          >
            <Icon name="cross" size={14} />
          </ActionIcon>
        </span>
      ))}
      {removing !== null && (
        <ConfirmDialog
          title={words.actions.removeFilter({ name: removing.name })}
          confirm={words.actions.remove}
          destructive
          act={async () => {
            await call(savedFilters.remove, { params: { filter_id: removing.id } });
            await again();
          }}
          onClose={() => setRemoving(null)}
        >
          {words.actions.removeFilterText}
        </ConfirmDialog>
      )}
      {query !== '' && <KeepFilter page={page} query={query} onKept={() => void again()} />}
    </>
  );
}

function KeepFilter({ page, query, onKept }: { page: string; query: string; onKept: () => void }) {
  const words = useCommonWords();
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const keep = useMutation({
    mutationFn: () => call(savedFilters.create, { body: { page, name: name.trim(), query } }),
    onSuccess: () => {
      setOpened(false);
      setName('');
      onKept();
    },
  });
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="xs" onClick={() => setOpened(!opened)}>
          {words.actions.saveFilter}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.actions.saveFilter}>
        <Form onSubmit={() => name.trim() !== '' && keep.mutate()}>
          <TextInput
            size="xs"
            label={words.actions.filterName}
            maxLength={MAX_FILTER_NAME_CHARS}
            {...text(name, setName)}
          />
          <ErrorLine error={keep.error} />
          <Submit size="xs" loading={keep.isPending} obstacle={name.trim() === '' ? 'needsName' : null}>
            {words.actions.save}
          </Submit>
        </Form>
      </Popover.Dropdown>
    </Popover>
  );
}
