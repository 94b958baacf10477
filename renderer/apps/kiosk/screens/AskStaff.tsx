/**
 * The way without a camera. Staff see at the door that somebody waits here. Ending the check here is the guest's own choice, and is reported to the organiser as such.
 */
import type { FlowState } from '../../../flow/flow.ts';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { GuestNumber, Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

export function AskStaff({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { kiosk, words, config, language } = useKiosk();
  const own = config?.event?.words[language]?.ask_staff;
  return (
    <Screen
      title={words.askStaff.title}
      icon="people"
      actions={
        <>
          <Button look="main" disabled={flow.busy} onClick={() => kiosk.askStaff(false)}>
            {words.back}
          </Button>
          <Button look="side" disabled={flow.busy} onClick={visit.flow.decline}>
            {words.askStaff.end}
          </Button>
        </>
      }
    >
      <Lead data-say>{own || words.askStaff.text}</Lead>
      <GuestNumber sessionId={visit.sessionId} />
    </Screen>
  );
}
