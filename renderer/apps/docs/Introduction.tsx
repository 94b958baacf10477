import { CodeSample } from './CodeSample.tsx';
import { curlCommand } from './curl.ts';
import { deprecatedFields, type Reference } from './reference.ts';
import { REASON_MEANINGS } from './words.ts';
import { Words } from './Words.tsx';

/** Sections of the introduction, in order, as the navigation lists them. */
export const INTRODUCTION = [
  { id: 'keys', title: 'Keys and partitions' },
  { id: 'run', title: 'How a run goes' },
  { id: 'embedding', title: 'Embedding' },
  { id: 'test-faces', title: 'Test faces' },
  { id: 'reasons', title: 'Reasons' },
  { id: 'errors', title: 'Errors' },
  { id: 'deprecated', title: 'Deprecated fields' },
] as const;

type SectionId = (typeof INTRODUCTION)[number]['id'];

const TEST_FACES = [
  ['alice', 'Passes. Any other name does too: the same name is the same person, another name another one.'],
  ['near:alice', 'Passes, but looks much like `alice`: goes to review where the verification asks for it.'],
  ['spoof', 'Fails. Denied with `spoof_suspected` once no attempt is left.'],
  ['blurred', 'Fails. Denied with `liveness_failed` once no attempt is left.'],
] as const;

const STEPS = [
  'Your server calls `POST /v3/initialize` and gets a `url`, the hosted link.',
  'Send the person there. The check takes place on that page, on a phone or at a desk.',
  'The person returns to your `redirect_url` with `?vyt=<token>&vyc=<0|1>` appended. `vyc` is only a hint: anyone can type it.',
  'Your server exchanges the token at `GET /v3/confirmations/{token}` with its secret key and lets the person in where `verified` is true. The token can be exchanged for 30 minutes.',
] as const;

const EMBEDDING = [
  'The hosted page can be shown in a frame on your site instead of a redirect. The browser SDK does this; its page has the messages for clients of your own.',
  'A test session can be embedded anywhere. A live session can be embedded by the origins that it may return to (`redirect_url`, `origin`, and those of its verification) and by the verification’s embedding origins. Set these in the console under Verifications, or with `verification update --embed-origin https://shop.example`. For a session started with a publishable key, only the verification’s own origins count.',
  'On any other site the frame offers to open the check in a new tab, and the site gets no message.',
] as const;

export function Introduction({ reference }: { reference: Reference }) {
  return (
    <>
      <header className="intro">
        <h1>{reference.title} API reference</h1>
        <p className="lead">
          <Words>{reference.description}</Words>
        </p>
        <p className="quiet">
          Version {reference.version} at <code>{reference.baseUrl}</code>. For machines:{' '}
          <a href="/openapi.json">/openapi.json</a>
        </p>
      </header>
      <Section id="keys">
        <p>
          <Words>
            {
              'Every call carries a key: `Authorization: Bearer <key>`. Secret keys (`sk_…`) stay on your server. Publishable keys (`pk_…`) may be seen in a browser, and can only start runs. v1 and v2 take a key of their own in the `API-KEY` header: `ak_…`, for your server only.'
            }
          </Words>
        </p>
        <p>
          <Words>
            {
              'Each kind exists twice. `…_test_…` keys open the test partition, `…_live_…` keys the live one. People, passes and tokens of one are unknown to the other, and test data is deleted after 30 days. This page sends test keys only.'
            }
          </Words>
        </p>
      </Section>
      <Section id="run">
        <ol className="steps">
          {STEPS.map((step) => (
            <li key={step}>
              <Words>{step}</Words>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="embedding">
        {EMBEDDING.map((paragraph) => (
          <p key={paragraph}>
            <Words>{paragraph}</Words>
          </p>
        ))}
        <p>
          <a href="/sdk/">Browser SDK</a>
        </p>
      </Section>
      <Section id="test-faces">
        <p>
          In the test partition a name stands in for the camera. The hosted page of a test run offers them; a
          test of yours can do without the page:
        </p>
        <dl className="terms">
          {TEST_FACES.map(([name, meaning]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <Words>{meaning}</Words>
              </dd>
            </div>
          ))}
        </dl>
        <CodeSample label="A run without a camera" code={testRun(reference.baseUrl)} />
        <p className="quiet">
          <Words>
            {
              'Opening a session answers with its `flow_token`; the other calls answer with the state of the run, its return address included once it has settled.'
            }
          </Words>
        </p>
      </Section>
      <Section id="reasons">
        <p>
          <Words>
            {
              'A confirmation’s `reasons` tell what was found. The set is open: treat one that you do not know as a finding.'
            }
          </Words>
        </p>
        <dl className="terms">
          {reference.reasons.map((reason) => (
            <div key={reason}>
              <dt>
                <code>{reason}</code>
              </dt>
              <dd>
                <Words>{REASON_MEANINGS[reason] ?? ''}</Words>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section id="errors">
        <p>
          <Words>
            {
              'An error answers with `detail`: a code, or with 422 a list of what does not fit, each with `loc`, `msg` and `type`. A refused request changes nothing. A denied person is no error: it answers 200 with `verified` false. v1 and v2 answer with `status` (`failure`), `failure_code` and `failure_reason` instead.'
            }
          </Words>
        </p>
      </Section>
      <Section id="deprecated">
        <p>
          These still work, and stay until the next version. New work should do without:{' '}
          <Words>
            {deprecatedFields(reference)
              .map((field) => `\`${field}\``)
              .join(', ')}
          </Words>
          .
        </p>
      </Section>
    </>
  );
}

function Section({ id, children }: { id: SectionId; children: React.ReactNode }) {
  return (
    <section className="part" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{INTRODUCTION.find((section) => section.id === id)?.title}</h2>
      {children}
    </section>
  );
}

function testRun(baseUrl: string): string {
  const session = `${baseUrl}/flow/sessions/<session_id>`;
  const json = { 'content-type': 'application/json' };
  const withToken = { 'x-flow-token': '<flow_token>', ...json };
  const post = (url: string, headers: Record<string, string>, body: string) =>
    curlCommand({ method: 'POST', url, headers, body });
  return [
    post(`${session}/open`, json, '{"device":"mobile"}'),
    post(`${session}/consent`, withToken, '{"accepted":true}'),
    post(`${session}/test-capture`, withToken, '{"face":"alice"}'),
  ].join('\n\n');
}
