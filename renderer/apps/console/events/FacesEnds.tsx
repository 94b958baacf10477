/** The certificates of a report: when the event's faces were deleted, and how many. */
import type { EventReport, FacesEnd } from '../../../../server/contract/console/events.ts';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { Time, TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { Section } from './ReportTables.tsx';

/** Renders nothing for an event whose faces the organiser keeps. */
export function FacesEnds({
  report: {
    event: { faces_until: until },
    faces_ends: ends,
  },
}: {
  report: EventReport;
}) {
  const { facesEnd: words } = useWords('events');
  if (until === null && ends.length === 0) return null;
  return (
    <Section title={words.title}>
      {ends.length === 0 && until !== null && (
        <p className="quiet">
          <TimeSentence words={words.ahead} at={until} exact />
        </p>
      )}
      {ends.map((end) => (
        <Certificate key={end.certificate_id} end={end} />
      ))}
    </Section>
  );
}

function Certificate({
  end: { ended_at: endedAt, removed, backups, audit_seq: entry, hash },
}: {
  end: FacesEnd;
}) {
  const { facesEnd: words } = useWords('events');
  return (
    <Facts>
      <TimeFact term={words.endedAt} at={endedAt} exact="utc" />
      <Fact term={words.people}>{removed.people}</Fact>
      <Fact term={words.faces}>{removed.faces}</Fact>
      <Fact term={words.reviews}>{removed.case_faces + removed.case_pictures}</Fact>
      <Fact term={words.backups}>
        {backups === null
          ? words.backupsWaiting
          : backups.is_own
            ? words.backupsReplaced({ count: backups.replaced.length })
            : words.backupsElsewhere}
      </Fact>
      {backups !== null && backups.by_hand.length > 0 && (
        <Fact term={words.backupsByHand}>
          <ul>
            {backups.by_hand.map(({ file, made_at: madeAt }) => (
              <li key={file}>
                <code>{file}</code> (<Time at={madeAt} exact />)
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {entry !== null && <Fact term={words.entry}>{entry}</Fact>}
      {hash !== null && <CopyFact term={words.hash} value={hash} />}
    </Facts>
  );
}
