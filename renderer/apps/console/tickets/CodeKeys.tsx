/** The public keys of an event's humans-only codes, and how many they signed. */
import { useQuery } from '@tanstack/react-query';
import { ticketSources } from '../../../../server/contract/routes/console/ticket-sources.ts';
import { reading } from '../shared/client/api.ts';
import { useScopeFilter } from '../shared/client/session.ts';
import { Copyable } from '../shared/copy.tsx';
import { ErrorState } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

export function CodeKeys({ eventId }: { eventId: string }) {
  const words = useWords('ticket-sources');
  const scope = useScopeFilter();
  const { data, error, refetch } = useQuery(
    reading(['ticket-sources', 'code-keys', eventId, scope], ticketSources.codeKeys, {
      params: { event_id: eventId },
      query: scope,
    }),
  );
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <section className="panel stack" aria-label={words.codes}>
      <h2>{words.codes}</h2>
      <p>{words.codesText}</p>
      {data.items.map(({ key_id: id, public_key: key, codes, redeemed }, index) => {
        const label = index === 0 ? words.codesKey : words.codesOlderKey;
        return (
          <div key={id} className="code-key">
            <h3>{label}</h3>
            <Copyable value={key} label={label} />
            <p className="quiet">{words.codesCount({ codes, redeemed })}</p>
          </div>
        );
      })}
    </section>
  );
}
