/** Test events only: a named test face instead of the camera, or the camera. */
import type { FlowState } from '../../../flow/flow.ts';
import { TEST_FACES } from '../../../i18n/messages.ts';
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
            {TEST_FACES.map((face) => (
              <button
                key={face}
                type="button"
                className="button button--side"
                data-face={face}
                disabled={flow.busy}
                onClick={() => visit.flow.testFace(face)}
              >
                {words.faces[face]}
              </button>
            ))}
          </div>
          <button
            type="button"
            className="button button--main"
            disabled={flow.busy}
            onClick={visit.flow.useCamera}
          >
            {words.camera}
          </button>
        </>
      }
    >
      <Lead data-say>{words.text}</Lead>
    </Screen>
  );
}
