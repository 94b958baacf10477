import type { ReactNode } from 'react';
import type { PersonProfile, PersonItem } from '../../../../server/contract/console/people.ts';
import type { PeopleMessages } from '../../../../locales/types/people.ts';
import { Score } from '../sessions/Score.tsx';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';

export function PersonFacts({ person }: { person: PersonProfile }) {
  const words = useWords('people');
  const { names, captures } = useWords('outcomes');
  const connections = { ...words.connection, revoked: names.revoked, denied: names.denied };
  const { identity: providers } = useWords('sessions');
  return (
    <>
      <Facts>
        {person.identities.map(({ provider, identifier, proven_at }) => (
          <Fact key={identifier} term={providers[provider as keyof typeof providers]}>
            {identifier}{' '}
            <span className="quiet">
              <TimeSentence words={words.proven} at={proven_at} />
            </span>
          </Fact>
        ))}
        {person.external_ids.length > 0 && (
          <Fact term={words.externalIds}>
            <Lines>{person.external_ids.map(({ external_id }) => external_id)}</Lines>
          </Fact>
        )}
        {person.test_faces.length > 0 && (
          <Fact term={words.testFaces}>
            <Lines>{person.test_faces}</Lines>
          </Fact>
        )}
        <TimeFact term={words.firstSeen} at={person.created_at} exact />
        <TimeFact term={words.lastSeen} at={person.last_seen_at} exact />
        {person.groups.length > 0 && (
          <Fact term={words.groups}>
            <Lines>
              {person.groups.map(
                ({ group, approved, passes }) =>
                  `${group ?? words.noGroup}: ${words.groupPasses({ approved, passes })}`,
              )}
            </Lines>
          </Fact>
        )}
        <Fact term={words.score}>
          {person.score === null ? (
            <span className="quiet">{words.noScore}</span>
          ) : (
            <Score score={person.score} parts={person.score_parts} />
          )}
        </Fact>
        {person.capture_signed !== null && (
          <Fact term={words.capture}>{person.capture_signed ? captures.signed : captures.unsigned}</Fact>
        )}
        {person.connections.length > 0 && (
          <Fact term={words.connections}>
            <Lines>
              {person.connections.map(
                ({ generation, reference_user_id, connection }) =>
                  `${generation} · ${reference_user_id}: ${connections[connection]}`,
              )}
            </Lines>
          </Fact>
        )}
        <CopyFact term={words.shortId} value={person.short_id} />
        <CopyFact term={words.personId} value={person.person_id} />
      </Facts>
      {Object.keys(person.metadata).length > 0 && (
        <Section title={words.metadata}>
          <Facts>
            {Object.entries(person.metadata).map(([key, value]) => (
              <Fact key={key} term={key}>
                {String(value)}
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
      <Section title={words.templates}>
        <Templates person={person} />
      </Section>
    </>
  );
}

function Templates({ person }: { person: PersonProfile }) {
  const words = useWords('people');
  const { language } = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  if (person.templates.length === 0) return <p className="quiet">{words.noTemplate}</p>;
  return (
    <Facts>
      {person.templates.map(({ model, is_current, quality, created_at, event, kept_until: until }, index) => (
        <Fact key={index} term={is_current ? words.current : words.outdated}>
          <TimeSentence words={words.templateAge} at={created_at} /> ·{' '}
          {words.quality({ percent: percent.format(quality) })} · <code>{model}</code>
          {event !== undefined && until !== undefined && (
            <>
              {' '}
              · <TimeSentence words={({ time }) => words.templateOfEvent({ event, time })} at={until} exact />
            </>
          )}
        </Fact>
      ))}
    </Facts>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="drawer-heading">{title}</h2>
      {children}
    </section>
  );
}

function Lines({ children }: { children: readonly string[] }) {
  return (
    <ul>
      {children.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Names of people as every page writes them. */
export const personName = (
  { name, short_id }: Pick<PersonItem, 'name' | 'short_id'>,
  words: PeopleMessages,
): string => name ?? words.nameless({ shortId: short_id });

export const accountOf = ({ identity, external_id }: PersonItem): string | null =>
  external_id ?? identity?.identifier ?? null;
