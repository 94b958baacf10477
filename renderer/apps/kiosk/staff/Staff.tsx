/**
 * Staff's actions at the kiosk itself, after the server has checked a PIN. A kiosk without an event asks for one
 * first.
 */
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { CameraTest } from './CameraTest.tsx';
import { EventChoice } from './EventChoice.tsx';
import { LetIn } from './LetIn.tsx';
import { useKiosk } from '../context.ts';
import type { Unlocked } from '../device/desktop.ts';
import { Screen } from '../parts/Screen.tsx';
import { Unlock } from './Unlock.tsx';

export function Staff() {
  const { config } = useKiosk();
  const [unlocked, setUnlocked] = useState<Unlocked | null>(null);
  const [place, setPlace] = useState<'menu' | 'camera' | 'event' | 'guests'>('menu');
  const unlock = (operator: Unlocked) => {
    setUnlocked(operator);
    if (config?.event === null) setPlace('event');
  };
  const back = () => setPlace('menu');
  if (unlocked === null) return <Unlock onUnlocked={unlock} />;
  if (place === 'menu') return <Menu unlocked={unlocked} onOpen={setPlace} />;
  return (
    <>
      {place === 'camera' && <CameraTest onDone={back} />}
      {place === 'event' && <EventChoice unlocked={unlocked} onBack={back} />}
      {place === 'guests' && <LetIn unlocked={unlocked} onBack={back} />}
    </>
  );
}

type MenuProps = { unlocked: Unlocked; onOpen: (place: 'camera' | 'event' | 'guests') => void };

/** The staff menu. */
function Menu({ unlocked, onOpen }: MenuProps) {
  const { kiosk, words, config, desktop } = useKiosk();
  const [isSure, setSure] = useState(false);
  const [leaving, setLeaving] = useState<'no' | 'asked' | 'failed'>('no');
  const [unpairing, setUnpairing] = useState<'no' | 'asked' | 'failed'>('no');
  const texts = words.menu;
  const leave = () => {
    if (desktop === null) return;
    setLeaving('asked');
    desktop.leave(unlocked.proof).then(
      (answer) => setLeaving(answer === 'left' ? 'asked' : 'failed'),
      () => setLeaving('failed'),
    );
  };
  const unpair = () => {
    if (!isSure) {
      setSure(true);
      return;
    }
    setUnpairing('asked');
    kiosk.unpair(unlocked.proof).catch(() => setUnpairing('failed'));
  };
  const problem = leaving === 'failed' ? texts.leaveFailed : unpairing === 'failed' ? texts.unpairFailed : '';
  return (
    <Screen title={texts.title({ kiosk: config?.name ?? '' })} icon="lock">
      <Lead>{texts.greeting({ name: unlocked.name })}</Lead>
      <div className="menu">
        {unlocked.guests.length > 0 && (
          <button type="button" className="button button--main menu__first" onClick={() => onOpen('guests')}>
            <Icon name="people" size={36} />
            {texts.letIn}
          </button>
        )}
        <Button look="side" onClick={() => onOpen('event')}>
          <Icon name="door" size={36} />
          {words.event.title}
        </Button>
        <Button look="side" onClick={() => onOpen('camera')}>
          <Icon name="camera" size={36} />
          {texts.camera}
        </Button>
        <Button look="side" onClick={() => location.reload()}>
          <Icon name="repeat" size={36} />
          {texts.reload}
        </Button>
        {desktop !== null && (
          <Button look="side" disabled={leaving === 'asked'} onClick={leave}>
            <Icon name="door" size={36} />
            {leaving === 'asked' ? texts.leaving : texts.leave}
          </Button>
        )}
        <Button look="side" disabled={unpairing === 'asked'} onClick={unpair}>
          <Icon name="link" size={36} />
          {isSure ? texts.unpairSure : texts.unpair}
        </Button>
        <Button look="side" onClick={kiosk.reset}>
          <Icon name="check" size={36} />
          {texts.done}
        </Button>
      </div>
      {desktop === null && <p className="quiet">{texts.notDesktop}</p>}
      <p className="problem" role="alert">
        {problem}
      </p>
    </Screen>
  );
}
