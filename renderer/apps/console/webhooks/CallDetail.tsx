import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { webhookCalls } from '../../../../server/contract/routes/console/webhooks.ts';
import type { ConsoleCallDetail } from '../../../../server/contract/console/webhooks.ts';
import { messageFor } from '../../../i18n/catalogues.ts';
import { Sentence } from '../shared/Sentence.tsx';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ErrorLine, Said, Unread } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { eventName } from './event-name.ts';
import { prettyJson } from './pretty-json.ts';
import { CallState } from './WebhookState.tsx';

type Props = { lineageId: string; transactionId: string };

/** The request and the response, attempt by attempt. */
export function CallDetail({ lineageId, transactionId }: Props) {
  const words = useWords('webhooks');
  const scope = useScopeFilter();
  const here = scopeSearch(useSearch());
  const ask = useScopedCall();
  const params = { lineage_id: lineageId, transaction_id: transactionId };
  const query = useQuery({
    queryKey: ['webhooks', 'call', lineageId, transactionId, scope],
    queryFn: ({ signal }) => ask(webhookCalls.read, { params, signal }),
  });
  const client = useQueryClient();
  const rerunning = useMutation({
    mutationFn: () => ask(webhookCalls.rerun, { params }),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const { data } = query;
  if (data === undefined) return <Unread query={query} />;
  const { call } = data;
  return (
    <div className="stack">
      <Facts>
        <Fact term={words.user}>{call.user}</Fact>
        {data.session !== null && (
          <>
            <Fact term={words.session}>
              <Link to="/sessions" search={{ ...here, open: data.session.session_id }} className="text-link">
                {words.openSession}
              </Link>
            </Fact>
            {data.session.settled_at !== null && (
              <TimeFact term={words.settled} at={data.session.settled_at} exact="utc" />
            )}
          </>
        )}
        <Fact term={words.event}>
          {eventName(words, call.webhook_type)}
          <br />
          <code>{call.webhook_type}</code>
        </Fact>
        <TimeFact term={words.created} at={call.created_at} exact="utc" />
        <Fact term={words.destination}>
          <code>{call.destination_url}</code>
        </Fact>
        <Fact term={words.status}>
          <CallState status={call.status} />
        </Fact>
        <CopyFact term={words.call} value={call.transaction_id} />
        {call.next_attempt_at !== null && (
          <TimeFact term={words.nextAttempt} at={call.next_attempt_at} exact="utc" />
        )}
        {call.completed_at !== null && <TimeFact term={words.completed} at={call.completed_at} exact="utc" />}
      </Facts>
      <div className="row">
        <Button variant="default" loading={rerunning.isPending} onClick={() => rerunning.mutate()}>
          {call.status === 'PENDING' ? words.tryNow : words.rerun}
        </Button>
      </div>
      <ErrorLine error={rerunning.error} />
      {rerunning.data !== undefined && (
        <Said>
          {rerunning.data.transaction_id === transactionId ? (
            words.tryNowDone
          ) : (
            <Sentence words={(id) => words.rerunDone({ id })}>
              <code>{rerunning.data.transaction_id}</code>
            </Sentence>
          )}
        </Said>
      )}
      <section>
        <h2>{words.attempts}</h2>
        {data.attempts.length === 0 && <p className="quiet">{words.noAttempt}</p>}
        {data.attempts.map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} />
        ))}
      </section>
      <section>
        <h2>{words.body}</h2>
        <pre className="code" tabIndex={0} aria-label={words.body}>
          {prettyJson(data.body)}
        </pre>
      </section>
    </div>
  );
}

function Attempt({ attempt }: { attempt: ConsoleCallDetail['attempts'][number] }) {
  const words = useWords('webhooks');
  const { http_status: status, response_body: body, network_failure: failure } = attempt;
  const name = words.attempt({ count: attempt.attempt });
  return (
    <div className="attempt">
      <p className="attempt__head">
        <strong>{name}</strong>
        <span>{status === null ? words.noAnswer : words.http({ status })}</span>
        <span className="quiet">
          {words.took({ ms: attempt.duration_ms })} · <Time at={attempt.created_at} exact="utc" />
        </span>
      </p>
      {failure !== null && <Failure text={failure} />}
      {status !== null && (
        <pre className="code" tabIndex={0} aria-label={`${words.answer}: ${name}`}>
          {body === null || body === '' ? words.emptyBody : prettyJson(body)}
        </pre>
      )}
    </div>
  );
}

/** The server’s English sentence ends in a code, or is one; the console translates known codes. */
function Failure({ text }: { text: string }) {
  const { failures } = useWords('webhooks');
  const [, rest = text, code = text] = /\(((\w+)[^()]*)\)$/.exec(text) ?? [];
  const message = messageFor(failures, code);
  if (message === undefined) return <p>{text}</p>;
  return (
    <p>
      {message} <code>{rest}</code>
    </p>
  );
}
