/** Test sessions only: the camera, or a named test face instead. */
import { useState } from 'react';
import { TestFaceButtons } from '../../../flow/TestFaces.tsx';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';

export function TestChoice({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const words = messages.test;
  const [name, setName] = useState('');
  return (
    <Screen
      title={words.title}
      actions={
        <Button look="main" disabled={state.busy} onClick={flow.useCamera}>
          {words.camera}
        </Button>
      }
    >
      <Lead>{words.text}</Lead>
      <div className="test-faces" role="group" aria-labelledby="test-faces">
        <h2 id="test-faces">{words.faceTitle}</h2>
        <div className="test-faces__list">
          <TestFaceButtons flow={flow} state={state} names={words.faces} />
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
          <Button type="submit" look="side" disabled={state.busy || name.trim() === ''}>
            {words.useName}
          </Button>
        </form>
      </div>
    </Screen>
  );
}
