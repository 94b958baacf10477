/** The tickets of an event's report. */
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { TicketReport } from '../../../../server/contract/console/ticket-report.ts';
import { Stat } from '../shared/states.tsx';
import { hourInWords } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { text } from '../shared/forms/fields.ts';
import { HourTable, Section, Table } from './ReportTables.tsx';

type Props = { tickets: TicketReport };

export function Tickets({ tickets }: Props) {
  return (
    <>
      <Totals tickets={tickets} />
      <Hours tickets={tickets} />
      <Gates tickets={tickets} />
      <GateHours tickets={tickets} />
      <Refusals tickets={tickets} />
    </>
  );
}

function Totals({ tickets }: Props) {
  const words = useWords('ticket-report');
  const refused = tickets.gates.reduce((sum, gate) => sum + gate.refused, 0);
  return (
    <Section title={words.title}>
      <dl className="report__totals report__totals--tickets">
        <Stat label={words.sold} value={tickets.sold} hint={words.more({ count: tickets.not_valid })} />
        <Stat label={words.entered} value={tickets.entered} hint={words.guests({ count: tickets.people })} />
        <Stat label={words.inside} value={tickets.inside} hint={words.leftCount({ count: tickets.left })} />
        <Stat label={words.codes_without_face} value={tickets.codes_without_face} hint={words.codesNote} />
        <Stat label={words.faces_without_code} value={tickets.faces_without_code} hint={words.facesNote} />
        <Stat label={words.refused} value={refused} hint={words.refusalsNote} />
      </dl>
    </Section>
  );
}

/** Of all gates, or of one. */
function Hours({ tickets: { hours, gates, gate_hours: gateHours } }: Props) {
  const words = useWords('ticket-report');
  const [chosen, setChosen] = useState('');
  const own = new Map(gateHours.flatMap((hour) => (hour.gate === chosen ? [[hour.from, hour]] : [])));
  const nothing = { entered: 0, left: 0, refused: 0 };
  return (
    <HourTable
      title={words.hours}
      heads={[words.entered, words.refused, words.left]}
      rows={hours.map((hour) => {
        const { entered, refused, left } = chosen === '' ? hour : (own.get(hour.from) ?? nothing);
        return { from: hour.from, numbers: [entered, refused, left] };
      })}
    >
      {gates.length > 1 && (
        <NativeSelect
          className={chosen === '' ? 'report__gate report__gate--all' : 'report__gate'}
          label={words.gate}
          {...text(chosen, setChosen)}
          data={[
            { value: '', label: words.allGates },
            ...gates.map(({ gate, name }) => ({ value: gate, label: name })),
          ]}
        />
      )}
    </HourTable>
  );
}

function Gates({ tickets: { gates } }: Props) {
  const words = useWords('ticket-report');
  return (
    <Section title={words.perGate}>
      {gates.length === 0 ? (
        <p className="quiet">{words.nobodyYet}</p>
      ) : (
        <Table label={words.perGate} head={[words.gate, words.entered, words.left, words.refused]}>
          {gates.map(({ gate, name, entered, left, refused }) => (
            <PassageRow key={gate} of={name} entered={entered} left={left} refused={refused} />
          ))}
        </Table>
      )}
    </Section>
  );
}

type Passages = { of: string; entered: number; left: number; refused: number };

function PassageRow({ of, entered, left, refused }: Passages) {
  return (
    <tr>
      <th scope="row">{of}</th>
      <td data-numeric="true">{entered}</td>
      <td data-numeric="true">{left}</td>
      <td data-numeric="true">{refused}</td>
    </tr>
  );
}

/** On paper nobody can choose a gate. */
function GateHours({ tickets: { gates, gate_hours: gateHours } }: Props) {
  const words = useWords('ticket-report');
  const { language } = useLanguage();
  if (gates.length < 2) return null;
  return (
    <div className="report__printed">
      <Section title={words.gateHours}>
        {gates.map(({ gate, name }) => (
          <Table key={gate} label={name} head={[name, words.entered, words.left, words.refused]}>
            {gateHours.flatMap(({ from, gate: of, entered, left, refused }) =>
              of === gate ? (
                <PassageRow
                  key={from}
                  of={hourInWords(from, language)}
                  entered={entered}
                  left={left}
                  refused={refused}
                />
              ) : (
                []
              ),
            )}
          </Table>
        ))}
      </Section>
    </div>
  );
}

function Refusals({ tickets: { refusals } }: Props) {
  const words = useWords('ticket-report');
  const whyOf: Readonly<Record<string, string>> = words.why;
  return (
    <Section title={words.refusals}>
      {refusals.length === 0 ? (
        <p className="quiet">{words.noRefusals}</p>
      ) : (
        <Table label={words.refusals} head={[words.reason, words.scans]}>
          {refusals.map(({ reason, count }) => (
            <tr key={reason}>
              <th scope="row">{whyOf[reason] ?? reason}</th>
              <td data-numeric="true">{count}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
