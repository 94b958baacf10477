/** People whom another service knew: a rehearsal, then the import of the same file. */
import { Button, FileInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ImportReport,
  MOST_IMPORT_ROWS,
  MOST_REFUSED_LISTED,
} from '../../../../server/contract/console/people-import.ts';
import { people } from '../../../../server/contract/routes/console/people.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import './import.css';

/** The server finds out what the file is; its name or type is not trusted. */
const FILE_TYPE = 'application/octet-stream';

export function ImportPeople({ onClose }: { onClose: () => void }) {
  const { import: words } = useWords('people');
  const { language } = useLanguage();
  const [file, setFile] = useState<File | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const call = useScopedCall();
  const client = useQueryClient();
  const importing = useMutation({
    async mutationFn({ rehearse }: { rehearse: boolean }) {
      const bytes = new Blob(file === null ? [] : [await file.arrayBuffer()], { type: FILE_TYPE });
      return call(people.import, { query: rehearse ? { rehearse: 'yes' } : {}, file: bytes });
    },
    onSuccess: setReport,
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
  const isRehearsed = report?.rehearsal === true;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="stack">
        <p>{words.text}</p>
        <FileInput
          label={words.file}
          description={words.fileHelp({ max: MOST_IMPORT_ROWS.toLocaleString(language) })}
          accept=".csv,.txt,.tsv,.json,text/csv,application/json"
          clearable
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setReport(null);
            importing.reset();
          }}
        />
        <div className="row">
          <Button
            variant={isRehearsed ? 'default' : 'filled'}
            disabled={file === null}
            loading={importing.isPending && importing.variables.rehearse}
            onClick={() => importing.mutate({ rehearse: true })}
          >
            {words.rehearse}
          </Button>
          {isRehearsed && (
            <Button
              loading={importing.isPending && !importing.variables.rehearse}
              onClick={() => importing.mutate({ rehearse: false })}
            >
              {words.run}
            </Button>
          )}
        </div>
        <ErrorLine error={importing.error} />
        <div role="status">{report !== null && <Report report={report} />}</div>
      </div>
    </Dialog>
  );
}

function Report({ report }: { report: ImportReport }) {
  const { import: words } = useWords('people');
  const counts = {
    people: report.new_people,
    verdicts: report.new_verdicts,
    changed: report.changed_people,
    unchanged: report.unchanged_people,
    refused: report.refused,
    rows: report.rows,
  };
  const { refused_rows: refused, ignored_columns: ignored } = report;
  return (
    <div className="stack">
      <p className="note" data-tone={report.refused > 0 ? 'look' : 'passed'}>
        <span>{report.rehearsal ? words.rehearsed(counts) : words.done(counts)}</span>
      </p>
      {ignored.length > 0 && <p className="quiet">{words.ignored({ columns: ignored.join(', ') })}</p>}
      {refused.length > 0 && (
        <section>
          <h3>{words.refusedTitle({ max: MOST_REFUSED_LISTED })}</h3>
          <ul
            className="import__refused"
            tabIndex={0}
            aria-label={words.refusedTitle({ max: MOST_REFUSED_LISTED })}
          >
            {refused.map(({ line, problem, field }) => (
              <li key={`${line} ${field}`}>
                {words.line({ line, problem: words.problems[problem] })}
                {problem === 'bad_metadata' && (
                  <>
                    {' '}
                    <code>{field}</code>
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
