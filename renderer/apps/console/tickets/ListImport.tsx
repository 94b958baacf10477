/** A chosen file before it is imported: what was found in it, what it would change, and what can be corrected. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CSV_ENCODINGS,
  CSV_SEPARATORS,
  type CsvEncoding,
  type CsvSeparator,
} from '../../../../server/contract/console/csv.ts';
import {
  LIST_FIELDS,
  MAX_SOURCE_NAME_CHARS,
  type TicketListImport,
  type TicketSourceRecord,
} from '../../../../server/contract/console/ticket-sources.ts';
import { ticketSources } from '../../../../server/contract/routes/console/ticket-sources.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { ErrorLine, Note } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { tick } from '../shared/forms/fields.ts';

type Choice = { encoding?: CsvEncoding; separator?: CsvSeparator; columns?: string };

export function ListImport({
  eventId,
  file,
  list,
  onClose,
  onImported,
}: {
  eventId: string;
  file: File;
  /** The list that it replaces; null for a new one. */
  list: TicketSourceRecord | null;
  onClose: () => void;
  onImported: (said: TicketListImport) => void;
}) {
  const words = useWords('ticket-sources');
  const { actions } = useCommonWords();
  const call = useScopedCall();
  const [choice, setChoice] = useState<Choice>({});
  const [name, setName] = useState(() => list?.name ?? file.name.replace(/\.\w+$/, ''));
  const [cancelsGone, setCancelsGone] = useState(false);
  const query = { ...choice, ...(list !== null && { source_id: list.source_id }) };
  const params = { event_id: eventId };
  const rehearsal = useQuery({
    queryKey: ['ticket-list', eventId, file.name, file.size, file.lastModified, query],
    queryFn: () => call(ticketSources.importList, { params, file, query: { ...query, rehearse: 'true' } }),
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  const importing = useMutation({
    mutationFn: () =>
      call(ticketSources.importList, {
        params,
        file,
        query: { ...query, name: name.trim(), cancel_gone: String(cancelsGone) },
      }),
    onSuccess: onImported,
  });
  const said = rehearsal.data;
  const hasCodes = said?.columns.includes('code') === true;
  return (
    <section className="panel stack" aria-label={file.name}>
      <h2>{file.name}</h2>
      {list === null && (
        <TextInput
          label={words.name}
          value={name}
          maxLength={MAX_SOURCE_NAME_CHARS}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      <ErrorLine error={rehearsal.error} />
      {said !== undefined && (
        <>
          <div className="list-import__fields">
            <NativeSelect
              label={words.encoding}
              value={said.encoding}
              data={CSV_ENCODINGS.map((value) => ({ value, label: value.toUpperCase() }))}
              onChange={({ currentTarget: { value } }) =>
                setChoice({ ...choice, encoding: value as CsvEncoding })
              }
            />
            <NativeSelect
              label={words.separator}
              value={said.separator}
              data={CSV_SEPARATORS.map((value) => ({ value, label: value === '\t' ? words.tab : value }))}
              // Other columns.
              onChange={({ currentTarget: { value } }) =>
                setChoice({ ...choice, separator: value as CsvSeparator, columns: '' })
              }
            />
          </div>
          <Preview said={said} onColumns={(columns) => setChoice({ ...choice, columns })} />
          {said.is_of_luma && <Note>{words.luma}</Note>}
          {hasCodes ? (
            <p role="status">
              {words.wouldDo({ added: said.added, changed: said.changed, same: said.same })}
            </p>
          ) : (
            <Note>{words.noCodes}</Note>
          )}
          {said.left_out > 0 && (
            <details>
              <summary>{words.leftOut({ count: said.left_out })}</summary>
              <ul>
                {said.faults.map(({ line, fault }) => (
                  <li key={`${line} ${fault}`}>{words.faults[fault]({ line })}</li>
                ))}
              </ul>
            </details>
          )}
          {said.gone > 0 && (
            <Checkbox label={words.cancelGone({ count: said.gone })} {...tick(cancelsGone, setCancelsGone)} />
          )}
        </>
      )}
      <ErrorLine error={importing.error} />
      <div className="row">
        <Button
          disabled={!hasCodes || name.trim() === '' || rehearsal.isPlaceholderData}
          loading={importing.isPending}
          onClick={() => importing.mutate()}
        >
          {words.doImport}
        </Button>
        <Button variant="default" onClick={onClose}>
          {actions.cancel}
        </Button>
      </div>
    </section>
  );
}

/** The first rows, each column with what it means. A meaning belongs to one column. */
function Preview({ said, onColumns }: { said: TicketListImport; onColumns: (columns: string) => void }) {
  const words = useWords('ticket-sources');
  const { columns, header } = said;
  const change = (at: number, field: string) =>
    onColumns(
      columns
        .map((known, column) => ({ column, field: column === at ? field : known === field ? '' : known }))
        .flatMap(({ column, field: meaning }) => (meaning ? [`${meaning}:${column}`] : []))
        .join(','),
    );
  return (
    <div className="list-import__preview" role="group" aria-label={words.preview} tabIndex={0}>
      <table className="report-table" aria-label={words.preview}>
        <thead>
          <tr>
            {header.map((title, at) => (
              <th key={`${at} ${title}`} scope="col">
                <NativeSelect
                  label={title === '' ? words.column({ number: at + 1 }) : title}
                  value={columns[at] ?? ''}
                  data={[
                    { value: '', label: words.unused },
                    ...LIST_FIELDS.map((value) => ({ value, label: words.fields[value] })),
                  ]}
                  onChange={({ currentTarget: { value } }) => change(at, value)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {said.sample.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
