import type { ReactNode } from 'react';
import type { EventReport } from '../../../../server/contract/console/events.ts';
import { hourInWords } from '../shared/time/time.ts';
import { useLanguage, useReason, useWords } from '../shared/words.tsx';

type Props = { report: EventReport };

export function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="panel report__section" aria-label={title}>
      <h2>{title}</h2>
      {note !== undefined && <p className="quiet">{note}</p>}
      {children}
    </section>
  );
}

export function Table({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: ReactNode;
}) {
  return (
    <table className="report-table" aria-label={label}>
      <thead>
        <tr>
          {head.map((title, index) => (
            <th key={title} scope="col" data-numeric={index > 0}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type HourRows = {
  title: string;
  /** Of the three numbers of a row. */
  heads: readonly [string, string, string];
  rows: readonly { from: string; numbers: readonly [number, number, number] }[];
  /** Above the table. */
  children?: ReactNode;
};

const BARS = ['bar-passed', 'bar-refused', 'bar-look'] as const;

/** A table whose rows contain the bars of the chart. */
export function HourTable({ title, heads, rows, children }: HourRows) {
  const words = useWords('events');
  const { language } = useLanguage();
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const most = Math.max(1, ...rows.map(({ numbers }) => sum(numbers)));
  if (rows.length === 0) {
    return (
      <Section title={title}>
        <p className="quiet">{words.nothingYet}</p>
      </Section>
    );
  }
  return (
    <Section title={title}>
      {children}
      <table className="report-table report-table--bars" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{words.hour}</th>
            <th scope="col" className="report-table__bar">
              {words.course}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" data-numeric="true">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, numbers }) => (
            <tr key={from}>
              <th scope="row">{hourInWords(from, language)}</th>
              <td className="report-table__bar">
                <svg viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
                  {BARS.map((bar, at) => (
                    <rect
                      key={bar}
                      className={bar}
                      x={sum(numbers.slice(0, at))}
                      width={numbers[at]}
                      height={1}
                    />
                  ))}
                </svg>
              </td>
              {heads.map((head, at) => (
                <td key={head} data-numeric="true">
                  {numbers[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

export function Hours({ report: { hours } }: Props) {
  const words = useWords('events');
  const { names, counts } = useWords('outcomes');
  return (
    <HourTable
      title={words.hours}
      heads={[counts.letIn, counts.turnedAway, names.in_review]}
      rows={hours.map(({ from, let_in, turned_away, in_review }) => ({
        from,
        numbers: [let_in, turned_away, in_review],
      }))}
    />
  );
}

export function Reasons({ report: { reasons } }: Props) {
  const words = useWords('events');
  const reasonOf = useReason();
  const { language } = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  if (reasons.length === 0) {
    return (
      <Section title={words.reasons}>
        <p className="quiet">{words.nobodyTurnedAway}</p>
      </Section>
    );
  }
  return (
    <Section title={words.reasons} note={words.reasonsNote}>
      <Table label={words.reasons} head={[words.reason, words.count, words.share]}>
        {reasons.map(({ reason, count, share }) => (
          <tr key={reason}>
            <th scope="row">{reasonOf(reason)}</th>
            <td data-numeric="true">{count}</td>
            <td data-numeric="true">{percent.format(share)}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

export function Kiosks({ report: { kiosks } }: Props) {
  const words = useWords('events');
  const { counts } = useWords('outcomes');
  const { language } = useLanguage();
  const number = new Intl.NumberFormat(language);
  if (kiosks.length === 0) {
    return (
      <Section title={words.perKiosk}>
        <p className="quiet">{words.noKioskRuns}</p>
      </Section>
    );
  }
  return (
    <Section title={words.perKiosk}>
      <Table label={words.perKiosk} head={[words.kiosk, words.runs, counts.letIn, words.medianTime]}>
        {kiosks.map(({ kiosk_id, name, runs, let_in, median_s }) => (
          <tr key={kiosk_id}>
            <th scope="row">{name}</th>
            <td data-numeric="true">{runs}</td>
            <td data-numeric="true">{let_in}</td>
            <td data-numeric="true">
              {median_s === null ? '–' : words.counts.seconds({ seconds: number.format(median_s) })}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

const CASES = ['open', 'different_people', 'same_person_allow', 'same_person'] as const;

export function Cases({ report: { cases } }: Props) {
  const words = useWords('events');
  const { decisions } = useWords('outcomes');
  return (
    <Section title={words.cases}>
      <Table label={words.cases} head={[words.cases, words.count]}>
        {CASES.map((name) => (
          <tr key={name}>
            <th scope="row">{name === 'open' ? words.waiting : decisions[name]}</th>
            <td data-numeric="true">{cases[name]}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
