/** An event's report, during and after it; can be printed. */
import './events.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { events } from '../../../../server/contract/routes/console/events.ts';
import type { EventReport } from '../../../../server/contract/console/events.ts';
import { fileAddress, reading } from '../shared/client/api.ts';
import { Download } from '../shared/Download.tsx';
import { useChanges } from '../shared/client/changes.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, useScopeFilter } from '../shared/client/session.ts';
import { PageHeader, PageSkeleton, Stat, Unread } from '../shared/states.tsx';
import { Time, TimeSentence } from '../shared/time/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { EventState, LimitInWords } from './EventFacts.tsx';
import { Cases, Hours, Kiosks, Reasons } from './ReportTables.tsx';
import { FacesEnds } from './FacesEnds.tsx';
import { Tickets } from './TicketTables.tsx';

export function Page() {
  const words = useWords('events');
  const scope = useScopeFilter();
  const { language } = useLanguage();
  const { event_id: id = '' }: { event_id?: string } = useParams({ strict: false });
  const query = useQuery(
    reading(['event-report', id, scope], events.report, { params: { event_id: id }, query: scope }),
  );
  useChanges('session', 'event-report');
  useChanges('case', 'event-report');
  useChanges('venue', 'event-report');
  if (query.data === undefined) {
    return (
      <>
        <PageHeader title={words.report} />
        <Unread query={query} wait={<PageSkeleton />} />
      </>
    );
  }
  return (
    <Report
      report={query.data}
      csv={fileAddress(events.reportCsv, { params: { event_id: id }, query: { ...scope, language } })}
    />
  );
}

function Report({ report, csv }: { report: EventReport; csv: string }) {
  const words = useWords('events');
  const search = scopeSearch(useSearch());
  const { event } = report;
  return (
    <div className="report">
      <PageHeader
        title={words.reportTitle({ name: event.name })}
        action={
          <div className="row report__actions">
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/events" search={search} {...props} />}
            >
              {words.back}
            </Button>
            <Download href={csv}>{words.csv}</Download>
            <Button onClick={() => window.print()}>{words.print}</Button>
          </div>
        }
      />
      <p className="report__about">
        <EventState state={event.state} /> <Time at={event.starts_at} exact /> –{' '}
        <Time at={event.ends_at} exact /> · <LimitInWords limit={event.limit} /> ·{' '}
        <TimeSentence words={words.madeAt} at={report.made_at} exact />
      </p>
      {event.state === 'running' && <p className="quiet">{words.live}</p>}
      <Totals report={report} />
      <Hours report={report} />
      <Reasons report={report} />
      <Kiosks report={report} />
      <Cases report={report} />
      {report.tickets !== null && <Tickets tickets={report.tickets} />}
      <FacesEnds report={report} />
    </div>
  );
}

function Totals({ report: { counts, kiosk_time } }: { report: EventReport }) {
  const { counts: words } = useWords('events');
  const { names, counts: labels } = useWords('outcomes');
  const { language } = useLanguage();
  const seconds = (value: number): string =>
    words.seconds({ seconds: new Intl.NumberFormat(language).format(value) });
  return (
    <dl className="report__totals panel" aria-label={words.label}>
      <Stat
        label={labels.letIn}
        value={counts.passed + counts.passed_again + counts.flagged}
        hint={words.again({ count: counts.passed_again })}
      />
      <Stat
        label={labels.turnedAway}
        value={counts.turned_away}
        hint={labels.declined({ count: counts.declined })}
      />
      <Stat label={names.in_review} value={counts.in_review} hint={words.ended({ count: counts.ended })} />
      <Stat
        label={words.median}
        value={kiosk_time.median_s === null ? '–' : seconds(kiosk_time.median_s)}
        hint={kiosk_time.p90_s === null ? words.noTime : words.p90({ time: seconds(kiosk_time.p90_s) })}
      />
    </dl>
  );
}
