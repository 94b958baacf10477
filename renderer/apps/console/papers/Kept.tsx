/** Versions of the papers that were kept, and what has changed since. */
import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { papers } from '../../../../server/contract/routes/console/papers.ts';
import type { KeptPapers, PaperDifference, PaperView } from '../../../../server/contract/console/papers.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { useChangeSearch } from '../shared/lists/search.ts';
import { ErrorLine } from '../shared/states.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { exactTime } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

export function Kept({ view: { shown, kept, differences, is_changed: isChanged } }: { view: PaperView }) {
  const { papers: words } = useWords('settings');
  const { language } = useLanguage();
  const change = useChangeSearch();
  const call = useScopedCall();
  const client = useQueryClient();
  const keeping = useMutation({
    mutationFn: () => call(papers.keep),
    onSuccess: () => client.invalidateQueries({ queryKey: ['paper'] }),
  });
  const since = kept.find(({ kept_id: id }) => id === shown) ?? kept[0];
  return (
    <section className="panel paper__kept" data-changed={differences.length > 0} aria-labelledby="paper-kept">
      <h2 id="paper-kept">{words.changes}</h2>
      {since === undefined ? (
        <p className="quiet">{words.noneKept}</p>
      ) : (
        <Since since={since} differences={differences} />
      )}
      <div className="row paper__actions">
        {kept.length > 0 && (
          <NativeSelect
            aria-label={words.version}
            value={shown ?? ''}
            data={[
              { value: '', label: words.now },
              ...kept.map(({ kept_id: value, kept_at: at }) => ({ value, label: exactTime(at, language) })),
            ]}
            onChange={({ currentTarget }) =>
              change({ version: currentTarget.value || undefined }, { replace: true })
            }
          />
        )}
        {shown === null && (since === undefined || isChanged) && (
          <Button variant="default" loading={keeping.isPending} onClick={() => keeping.mutate()}>
            {words.keep}
          </Button>
        )}
      </div>
      <ErrorLine error={keeping.error} />
    </section>
  );
}

function Since({
  since: { kept_at: at, kept_by: by },
  differences,
}: {
  since: KeptPapers;
  differences: readonly PaperDifference[];
}) {
  const { papers: words } = useWords('settings');
  if (differences.length === 0) {
    return (
      <p className="quiet">
        <TimeSentence words={words.same} at={at} exact />
      </p>
    );
  }
  return (
    <>
      <p>
        <TimeSentence words={({ time }) => words.since({ time, name: by ?? '–' })} at={at} exact />
      </p>
      <ul className="paper__differences">
        {differences.map((difference) => (
          <Difference key={`${difference.section} ${difference.title}`} difference={difference} />
        ))}
      </ul>
    </>
  );
}

function Difference({ difference: { section, title, was, is } }: { difference: PaperDifference }) {
  const { papers: words } = useWords('settings');
  return (
    <li>
      <strong>{title}</strong> <span className="quiet">{section}</span>
      <dl>
        {was.length > 0 && <Texts label={is.length > 0 ? words.was : words.gone} texts={was} />}
        {is.length > 0 && <Texts label={was.length > 0 ? words.is : words.added} texts={is} />}
      </dl>
    </li>
  );
}

const Texts = ({ label, texts }: { label: string; texts: readonly string[] }) => (
  <div>
    <dt>{label}</dt>
    <dd>{texts.join(' ')}</dd>
  </div>
);
