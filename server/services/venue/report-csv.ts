import type { EventReport } from '../../contract/console/events.ts';
import { csvLine } from '../../domain/csv.ts';

type Row = [section: string, name: string, value: string | number];

/** The report as one table of `section, name, value`, which a spreadsheet can filter. Times are ISO 8601, UTC. */
export function reportCsv(report: EventReport): string {
  const { event, counts, hours, reasons, kiosk_time: time, kiosks, cases } = report;
  const rows: Row[] = [
    ['section', 'name', 'value'],
    ['event', 'name', event.name],
    ['event', 'starts_at', event.starts_at],
    ['event', 'ends_at', event.ends_at],
    ['event', 'report_made_at', report.made_at],
    ...Object.entries(counts).map(([name, n]): Row => ['runs', name, n]),
    ...hours.flatMap(({ from, ...counted }) =>
      Object.entries(counted).map(([name, n]): Row => [`hour ${from}`, name, n]),
    ),
    ...reasons.map(({ reason, count }): Row => ['turned_away_because', reason, count]),
    ['kiosk_time', 'runs', time.runs],
    ['kiosk_time', 'median_s', time.median_s ?? ''],
    ['kiosk_time', 'p90_s', time.p90_s ?? ''],
    ...kiosks.flatMap(({ name, runs, let_in: letIn, median_s: median }): Row[] => [
      [`kiosk ${name}`, 'runs', runs],
      [`kiosk ${name}`, 'let_in', letIn],
      [`kiosk ${name}`, 'median_s', median ?? ''],
    ]),
    ...Object.entries(cases).map(([name, n]): Row => ['cases', name, n]),
  ];
  return rows.map(csvLine).join('');
}
