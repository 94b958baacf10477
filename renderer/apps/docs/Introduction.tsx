import { CodeSample, Words } from './Code.tsx';
import { curlCommand } from './calls.ts';
import { messages } from './messages.ts';
import { deprecatedFields, type Reference } from './reference/reference.ts';

/** Sections of the introduction, in order, as the navigation lists them. */
export const SECTIONS = [
  'keys',
  'run',
  'embedding',
  'test-faces',
  'reasons',
  'errors',
  'deprecated',
] as const;

type SectionId = (typeof SECTIONS)[number];

const TEST_FACES = [
  ['alice', messages.testFaces.alice],
  ['near:alice', messages.testFaces.near],
  ['spoof', messages.testFaces.spoof],
  ['blurred', messages.testFaces.blurred],
] as const;

export function Introduction({ reference }: { reference: Reference }) {
  return (
    <>
      <header className="intro">
        <h1>
          {reference.title} {messages.title}
        </h1>
        <p className="lead">
          <Words>{reference.description}</Words>
        </p>
        <p className="quiet">
          {messages.version} {reference.version}. {messages.server} <code>{reference.baseUrl}</code>.{' '}
          {messages.document} <a href="/openapi.json">/openapi.json</a> <a href="/llms.txt">/llms.txt</a>
        </p>
      </header>
      <Section id="keys">
        <Paragraphs texts={messages.keys} />
      </Section>
      <Section id="run">
        <ol className="steps">
          {messages.run.map((step) => (
            <li key={step}>
              <Words>{step}</Words>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="embedding">
        <Paragraphs texts={messages.embedding} />
        <p>
          <a href="/sdk/">{messages.sdk}</a>
        </p>
      </Section>
      <Section id="test-faces">
        <p>{messages.testFaces.intro}</p>
        <Terms terms={TEST_FACES} />
        <CodeSample label={messages.testFaces.sample} code={testRun(reference.baseUrl)} />
        <p className="quiet">
          <Words>{messages.testFaces.after}</Words>
        </p>
      </Section>
      <Section id="reasons">
        <p>
          <Words>{messages.reasons}</Words>
        </p>
        <Terms terms={reference.reasons.map(({ code, meaning }) => [code, meaning] as const)} />
      </Section>
      <Section id="errors">
        <p>
          <Words>{messages.errors}</Words>
        </p>
      </Section>
      <Section id="deprecated">
        <p>
          {messages.deprecatedFields}{' '}
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
      <h2 id={`${id}-title`}>{messages.sections[id]}</h2>
      {children}
    </section>
  );
}

/** @param texts a list of the catalogue: numbered keys */
function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text}>
      <Words>{text}</Words>
    </p>
  ));
}

function Terms({ terms }: { terms: readonly (readonly [name: string, meaning: string])[] }) {
  return (
    <dl className="terms">
      {terms.map(([name, meaning]) => (
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
