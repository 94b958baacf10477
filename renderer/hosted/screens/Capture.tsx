/** The camera's screen in the hosted flow; loaded on its own while the consent is read. */
import type { Flow } from '../flow.ts';
import type { FlowApi } from '../flow-api.ts';
import { useWords } from '../messages-context.ts';

export const warmUp = (): void => undefined;

export function Capture({ flow }: { flow: Flow; api: FlowApi }) {
  return (
    <p>
      {useWords().messages.capture.stop}
      {flow.state().screen}
    </p>
  );
}
