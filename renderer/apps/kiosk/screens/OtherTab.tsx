/** Another tab of this browser is the kiosk. This one takes over when that one closes, or when staff ask for it. */
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';

export function OtherTab() {
  const { words, takeTab } = useKiosk();
  const { title, text, take } = words.otherTab;
  return (
    <Screen
      title={title}
      icon="info"
      tone="look"
      actions={
        <Button look="main" onClick={takeTab}>
          {take}
        </Button>
      }
    >
      <Lead>{text}</Lead>
    </Screen>
  );
}
