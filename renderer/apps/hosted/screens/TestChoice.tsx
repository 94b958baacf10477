/** Test sessions only: the camera, or a named test face instead. */
import { useState } from 'react';
import { TEST_FACES } from '../../../i18n/messages.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { Lead } from '../../../ui/Lead.tsx';

export function TestChoice({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const words = messages.test;
  const [name, setName] = useState('');
  return (
    <Screen
      title={words.title}
      actions={
        <button type="button" className="button button--main" disabled={state.busy} onClick={flow.useCamera}>
          {words.camera}
        </button>
      }
    >
      <Lead>{words.text}</Lead>
      <div className="test-faces" role="group" aria-labelledby="test-faces">
        <h2 id="test-faces">{words.faceTitle}</h2>
        <div className="test-faces__list">
          {TEST_FACES.map((face) => (
            <button
              key={face}
              type="button"
              className="button button--side"
              data-face={face}
              disabled={state.busy}
              onClick={() => flow.testFace(face)}
            >
              {words.faces[face]}
            </button>
          ))}
        </div>
        <form
          className="field field--row"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') flow.testFace(name.trim());
          }}
        >
          <label>
            <span>{words.nameLabel}</span>
            <input
              name="face"
              value={name}
              maxLength={64}
              autoComplete="off"
              autoCapitalize="none"
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <button type="submit" className="button button--side" disabled={state.busy || name.trim() === ''}>
            {words.useName}
          </button>
        </form>
      </div>
    </Screen>
  );
}
