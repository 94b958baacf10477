import { CodeSample } from './CodeSample.tsx';
import { curlCommand } from './curl.ts';
import { deprecatedFields, type Reference } from './reference.ts';
import { Words } from './Words.tsx';

/** Sections of the introduction, in order, as the navigation lists them. */
export const INTRODUCTION = [
  { id: 'keys', title: 'Keys and partitions' },
  { id: 'run', title: 'How a run works' },
  { id: 'embedding', title: 'Embedding' },
  { id: 'test-faces', title: 'Test faces' },
  { id: 'reasons', title: 'Reasons' },
  { id: 'errors', title: 'Errors' },
  { id: 'deprecated', title: 'Deprecated fields' },
] as const;

type SectionId = (typeof INTRODUCTION)[number]['id'];

const TEST_FACES = [
  ['alice', 'Passes, as does any other name. The same name is always the same person.'],
  [
    'near:alice',
    'Passes, but looks similar to `alice`. Goes to review if the verification is set up for it.',
  ],
  ['spoof', 'Fails. Denied with `spoof_suspected` after the last attempt.'],
  ['blurred', 'Fails. Denied with `liveness_failed` after the last attempt.'],
] as const;

const STEPS = [
  'Your server calls `POST /v3/initialize` and gets the hosted link in `url`.',
  'Send the person there. The check runs on that page, on a phone or a computer.',
  'The person returns to your `redirect_url` with `?vyt=<token>&vyc=<0|1>` appended. `vyc` is only a hint, because anyone can change it.',
  'Within 30 minutes, your server exchanges the token at `GET /v3/confirmations/{token}` with its secret key. If `verified` is true, let the person in.',
] as const;

const EMBEDDING = [
  'You can show the hosted page in a frame on your site instead of redirecting. The browser SDK does this for you; its page documents the messages if you write your own client.',
  'You can embed a test session anywhere. You can embed a live session on the origins that it can return to (`redirect_url`, `origin` and those of its verification) and on the verification’s embedding origins. Set these in the console under Verifications, or with `verification update --embed-origin https://shop.example`. A session started with a publishable key allows only the verification’s own origins.',
  'On any other site, the frame offers to open the check in a new tab, and the site receives no messages.',
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
          Version {reference.version} at <code>{reference.baseUrl}</code>. OpenAPI document:{' '}
          <a href="/openapi.json">/openapi.json</a>
        </p>
      </header>
      <Section id="keys">
        <p>
          <Words>
            {
              'Send a key with every call: `Authorization: Bearer <key>`. Keep secret keys (`sk_…`) on your server. Publishable keys (`pk_…`) can be used in a browser, but can only start runs. v1 and v2 use API keys (`ak_…`) in the `API-KEY` header; keep them on your server too.'
            }
          </Words>
        </p>
        <p>
          <Words>
            {
              'Each type of key exists for both partitions: `…_test_…` and `…_live_…`. The partitions share no people, passes or tokens. Test data is deleted after 30 days. This page sends test keys only.'
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
          In the test partition, you send a name instead of a face. The hosted page of a test run offers these
          names. Your automated tests can send them without the page:
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
              'Opening a session returns its `flow_token`. The other calls return the state of the run, with the return address once there is a verdict.'
            }
          </Words>
        </p>
      </Section>
      <Section id="reasons">
        <p>
          <Words>
            {
              'The `reasons` of a confirmation list what was found. More reasons can be added: treat an unknown one as a finding.'
            }
          </Words>
        </p>
        <dl className="terms">
          {reference.reasons.map(({ code, meaning }) => (
            <div key={code}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>
                <Words>{meaning}</Words>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section id="errors">
        <p>
          <Words>
            {
              'Errors return a code in `detail`. With 422, `detail` can be a list of problems instead, each with `loc`, `msg` and `type`. A refused request changes nothing. A denied person is not an error: you get 200 with `verified` false. v1 and v2 return `status` (`failure`), `failure_code` and `failure_reason` instead.'
            }
          </Words>
        </p>
      </Section>
      <Section id="deprecated">
        <p>
          These fields work until the next version. Don’t use them in new work:{' '}
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
