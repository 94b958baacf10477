/** Starts the reference: reads the OpenAPI document of this server and shows it. */
import { type ReactNode, useState } from 'react';
import '@fontsource/jetbrains-mono/latin-400.css';
import '../../ui/tokens.css';
import '../../ui/base.css';
import './page.css';
import './contents.css';
import './sample.css';
import './reference/tables.css';
import './trial/try.css';
import { reportPageError } from '../../ui/page-errors.ts';
import { startPage } from '../../ui/start-page.tsx';
import { messages } from './messages.ts';
import type { OpenApiDocument } from './reference/openapi.ts';
import { readReference, type Reference } from './reference/reference.ts';
import { Introduction } from './Introduction.tsx';
import { Navigation } from './Navigation.tsx';
import { OperationSection } from './reference/OperationSection.tsx';
import { TrialMemoryContext } from './trial/trial-memory.ts';

/** A shorter wait shows no message. */
const PATIENCE_MS = 300;
const FONTS = ['1em "Inter Variable"', '1em "JetBrains Mono"'];

async function start(root: HTMLElement): Promise<ReactNode> {
  const waiting = setTimeout(() => root.replaceChildren(waitingMessage()), PATIENCE_MS);
  try {
    const [reply] = await Promise.all([fetch('/openapi.json'), loadFonts()]);
    if (!reply.ok) throw new Error(`/openapi.json answered ${reply.status}`);
    const reference = readReference((await reply.json()) as OpenApiDocument, location.origin);
    // After React has rendered it.
    setTimeout(showNamedSection);
    return <App reference={reference} />;
  } catch (error) {
    reportPageError('load', error);
    return <p className="page-message">{messages.loadFailed}</p>;
  } finally {
    clearTimeout(waiting);
  }
}

/** React is not loaded yet, so this message does not use it. */
function waitingMessage(): HTMLElement {
  const message = document.createElement('p');
  message.className = 'page-message';
  message.textContent = messages.loading;
  return message;
}

/** Waits for the fonts, because a font change would move the content below. */
async function loadFonts(): Promise<void> {
  await Promise.allSettled(FONTS.map((font) => document.fonts.load(font)));
}

/** The browser scrolls to the address’s section before React has rendered it, so scroll again. */
function showNamedSection(): void {
  if (location.hash === '') return;
  requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
}

const root = document.getElementById('root');
if (root !== null) startPage({ name: 'docs', root }, () => start(root));

function App({ reference }: { reference: Reference }) {
  const [key, setKey] = useState('');
  const [token, setToken] = useState('');
  return (
    <TrialMemoryContext value={{ key, token, setKey, setToken }}>
      <a className="skip" href="#top">
        {messages.skip}
      </a>
      <div className="layout">
        <Navigation operations={reference.operations} />
        <main id="top" tabIndex={-1}>
          <Introduction reference={reference} />
          {reference.operations.map((operation) => (
            <OperationSection key={operation.id} operation={operation} baseUrl={reference.baseUrl} />
          ))}
        </main>
      </div>
    </TrialMemoryContext>
  );
}
