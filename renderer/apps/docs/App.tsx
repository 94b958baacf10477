import { useState } from 'react';
import { Introduction } from './Introduction.tsx';
import { messages } from './messages.ts';
import { Navigation } from './Navigation.tsx';
import { OperationSection } from './OperationSection.tsx';
import type { Reference } from './reference.ts';
import { TrialMemoryContext } from './trial-memory.ts';

export function App({ reference }: { reference: Reference }) {
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
