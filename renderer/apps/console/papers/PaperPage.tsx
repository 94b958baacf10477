/** One privacy paper, written from the settings in force; can be printed, also to a file. */
import './papers.css';
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { papers } from '../../../../server/contract/routes/console/papers.ts';
import type { Paper, PaperRow, PaperSection, PaperView } from '../../../../server/contract/console/papers.ts';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../../../i18n/language.ts';
import { reading } from '../shared/client/api.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { scopeSearch, useScopeFilter } from '../shared/client/session.ts';
import { Icon } from '../shared/icons.tsx';
import { useChangeSearch, useSearch } from '../shared/lists/search.ts';
import { PageHeader, PageSkeleton, Unread } from '../shared/states.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { Kept } from './Kept.tsx';

export function Page() {
  const { papers: words } = useWords('settings');
  const scope = useScopeFilter();
  const own = useLanguage().language;
  const { paper = '' }: { paper?: string } = useParams({ strict: false });
  const search = useSearch();
  const language = LANGUAGES.find((each) => each === search['language']) ?? own;
  const { version } = search;
  const query = useQuery(
    reading(['paper', paper, scope, language, version], papers.read, {
      params: { paper },
      query: { ...scope, language, ...(version !== undefined && { version }) },
    }),
  );
  useChanges('audit', 'paper');
  return (
    <div className="paper">
      <p className="paper__back">
        <Link to="/settings" search={{ ...scopeSearch(search), section: 'privacy' }} className="text-link">
          ← {words.title}
        </Link>
      </p>
      {query.data !== undefined && <Written view={query.data} language={language} />}
      {query.data === undefined && (
        <>
          <PageHeader title={words.title} />
          <Unread query={query} wait={<PageSkeleton />} />
        </>
      )}
    </div>
  );
}

function Written({ view, language }: { view: PaperView; language: Language }) {
  const { organiser, written_at: writtenAt, paper } = view;
  const { papers: words } = useWords('settings');
  const change = useChangeSearch();
  return (
    <>
      <PageHeader
        title={paper.title}
        action={
          <div className="row paper__actions">
            <NativeSelect
              aria-label={words.language}
              value={language}
              data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
              onChange={({ currentTarget }) => change({ language: currentTarget.value }, { replace: true })}
            />
            <Button onClick={() => window.print()}>{words.print}</Button>
          </div>
        }
      />
      <p className="quiet">
        {organiser} · {paper.article} · <TimeSentence words={words.writtenAt} at={writtenAt} exact />
      </p>
      <p className="paper__notice" lang={language}>
        <Icon name="look" /> <span>{paper.notice}</span>
      </p>
      <Kept view={view} />
      <div lang={language} className="paper__text">
        {paper.sections.map((section) => (
          <Section key={section.id} section={section} paper={paper} />
        ))}
      </div>
    </>
  );
}

function Section({ section: { id, title, rows }, paper }: { section: PaperSection; paper: Paper }) {
  return (
    <section className="panel" aria-labelledby={`paper-${id}`}>
      <h2 id={`paper-${id}`}>{title}</h2>
      <dl className="paper__rows">
        {rows.map((row) => (
          <Row key={row.id} row={row} mark={paper.to_answer} />
        ))}
      </dl>
    </section>
  );
}

function Row({ row: { title, lines, question }, mark }: { row: PaperRow; mark: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {question !== null && (
          <p className="paper__question">
            <strong>{mark}</strong> {question}
          </p>
        )}
      </dd>
    </div>
  );
}
