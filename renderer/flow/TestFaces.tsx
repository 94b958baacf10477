import type { HostedMessages } from '../../locales/types/hosted.ts';
import { Button } from '../ui/Button.tsx';
import type { Flow, FlowState } from './flow.ts';

type Names = HostedMessages['test']['faces'];

/** Faces that the test partition knows and the page offers as buttons. */
const TEST_FACES = [
  'alice',
  'bob',
  'near:alice',
  'spoof',
  'blurred',
] as const satisfies readonly (keyof Names)[];

type Props = { flow: Pick<Flow, 'testFace'>; state: Pick<FlowState, 'busy'>; names: Names };

/** A button for each face that a test can use instead of the camera. */
export const TestFaceButtons = ({ flow, state, names }: Props) =>
  TEST_FACES.map((face) => (
    <Button key={face} look="side" data-face={face} disabled={state.busy} onClick={() => flow.testFace(face)}>
      {names[face]}
    </Button>
  ));
