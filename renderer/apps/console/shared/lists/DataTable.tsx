/** Every list of the console: sticky head, rows by keyboard, pages by cursor, and a text for every state. */
import { Button, Checkbox } from '@mantine/core';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { RowList } from './list.ts';
import { ErrorState, useLate } from '../states.tsx';
import { useCommonWords } from '../words.tsx';

export type Column<Row> = {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned, with tabular figures. */
  numeric?: boolean;
  /** Hidden below 640 px, where a row is a card. */
  wideOnly?: boolean;
};

/** Rows that can be ticked, to do something with all of them. */
type Selection<Row> = {
  selected: ReadonlySet<string>;
  canSelect: (row: Row) => boolean;
  /** Names the row's box to screen readers. */
  label: (row: Row) => string;
  /** Names a box in the head that selects every row shown. */
  labelOfAll?: string;
  onChange: (selected: ReadonlySet<string>) => void;
};

type Props<Row> = {
  label: string;
  /** The first column names the row and opens it. */
  columns: readonly Column<Row>[];
  list: RowList<Row>;
  rowId: (row: Row) => string;
  /** Opens the detail. Without it rows are read-only. */
  onOpen?: (id: string) => void;
  /** The row whose detail is open. */
  openId?: string | undefined;
  selection?: Selection<Row>;
  /** Shown if there are no rows: says what to do next. */
  empty: ReactNode;
};

const SKELETON_ROWS = 6;

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, list, rowId, onOpen, openId, selection, empty } = props;
  const words = useCommonWords();
  const body = useRef<HTMLTableSectionElement>(null);
  const late = useLate(list.isPending);
  if (list.error !== null) return <ErrorState error={list.error} retry={list.retry} />;
  if (!list.isPending && list.rows.length === 0) return <>{empty}</>;

  return (
    <div className="table-frame">
      <table
        className="table"
        aria-label={label}
        aria-busy={list.isPending || list.isStale}
        data-stale={list.isStale}
      >
        <thead>
          <tr>
            {selection !== undefined && (
              <td className="table__select">
                <SelectAll rows={list.rows} rowId={rowId} selection={selection} />
              </td>
            )}
            {columns.map(({ id, title, numeric, wideOnly }) => (
              <th key={id} scope="col" data-numeric={numeric} data-wide-only={wideOnly}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={(event) => moveBetweenRows(event, body.current)}>
          {list.rows.map((row) => (
            <BodyRow
              key={rowId(row)}
              row={row}
              columns={columns}
              isOpen={rowId(row) === openId}
              box={selection && <SelectBox row={row} id={rowId(row)} selection={selection} />}
              {...(onOpen === undefined ? {} : { onOpen: () => onOpen(rowId(row)) })}
            />
          ))}
          {late && <Skeletons columns={columns.length + (selection === undefined ? 0 : 1)} />}
        </tbody>
      </table>
      {late && <p className="visually-hidden">{words.table.loading}</p>}
      {!list.isPending && (
        <footer className="table-foot">
          <span aria-live="polite">{words.table.shown({ count: list.rows.length })}</span>
          {list.loadMore !== undefined && (
            <Button variant="default" size="xs" loading={list.isLoadingMore} onClick={list.loadMore}>
              {words.actions.more}
            </Button>
          )}
        </footer>
      )}
    </div>
  );
}

type SelectAllProps<Row> = Pick<Props<Row>, 'rowId'> & { rows: readonly Row[]; selection: Selection<Row> };

function SelectAll<Row>({ rows, rowId, selection }: SelectAllProps<Row>) {
  const { selected, canSelect, labelOfAll, onChange } = selection;
  if (labelOfAll === undefined) return null;
  const ids = rows.filter(canSelect).map(rowId);
  const isAll = ids.length > 0 && ids.every((id) => selected.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label={labelOfAll}
      disabled={ids.length === 0}
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => onChange(new Set(isAll ? [] : ids))}
    />
  );
}

function SelectBox<Row>({ row, id, selection }: { row: Row; id: string; selection: Selection<Row> }) {
  const { selected, canSelect, label, onChange } = selection;
  const isSelected = selected.has(id);
  return (
    <Checkbox
      size="xs"
      aria-label={label(row)}
      disabled={!canSelect(row)}
      checked={isSelected}
      onChange={() => onChange(isSelected ? without(selected, id) : new Set([...selected, id]))}
    />
  );
}

const without = (selected: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set([...selected].filter((each) => each !== id));

type RowProps<Row> = {
  row: Row;
  columns: readonly Column<Row>[];
  isOpen: boolean;
  box: ReactNode;
  onOpen?: () => void;
};

function BodyRow<Row>({ row, columns, isOpen, box, onOpen }: RowProps<Row>) {
  return (
    <tr
      data-open={isOpen}
      data-opens={onOpen !== undefined}
      onClick={(event) => isPlainClick(event.target) && onOpen?.()}
    >
      {box !== undefined && <td className="table__select">{box}</td>}
      {columns.map(({ id, title, cell, numeric, wideOnly }, index) => (
        <td key={id} data-label={title} data-numeric={numeric} data-wide-only={wideOnly}>
          {index === 0 && onOpen !== undefined ? (
            <button type="button" className="row-open" aria-expanded={isOpen} onClick={onOpen}>
              {cell(row)}
            </button>
          ) : (
            cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Ignores clicks on a button or a link in the row, and clicks that end a text selection. */
function isPlainClick(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('button, a, input, label') !== null) return false;
  return (window.getSelection()?.toString() ?? '') === '';
}

function moveBetweenRows(event: KeyboardEvent, body: HTMLElement | null): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...(body?.querySelectorAll<HTMLElement>('.row-open') ?? [])];
  const here = buttons.findIndex((button) => button === document.activeElement);
  const next = buttons[here + step];
  if (here < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

function Skeletons({ columns }: { columns: number }) {
  return Array.from({ length: SKELETON_ROWS }, (_row, row) => (
    <tr key={row} aria-hidden="true">
      {Array.from({ length: columns }, (_column, column) => (
        <td key={column}>
          <span className="skeleton" />
        </td>
      ))}
    </tr>
  ));
}
