/** Test events only: a named test face instead of the camera, or the camera. */
import type { FlowState } from '../../../flow/flow.ts';
import { TestFaceButtons } from '../../../flow/TestFaces.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

export function TestFaces({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const words = useKiosk().messages.test;
  return (
    <Screen
      title={words.title}
      icon="flask"
      actions={
        <>
          <div className="people">
            <TestFaceButtons flow={visit.flow} state={flow} names={words.faces} />
          </div>
          <Button look="main" disabled={flow.busy} onClick={visit.flow.useCamera}>
            {words.camera}
          </Button>
        </>
      }
    >
      <Lead data-say>{words.text}</Lead>
    </Screen>
  );
}
