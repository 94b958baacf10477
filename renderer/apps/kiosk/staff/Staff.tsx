/**
 * Staff's actions at the kiosk itself, after the server has checked a PIN. A kiosk without an event asks for one
 * first.
 */
import { useState } from 'react';
import { useKiosk } from '../context.ts';
import { CameraTest } from './CameraTest.tsx';
import { EventChoice } from './EventChoice.tsx';
import { Menu } from './Menu.tsx';
import { Unlock } from './Unlock.tsx';
import type { Unlocked } from '../desktop.ts';

export function Staff() {
  const { config } = useKiosk();
  const [unlocked, setUnlocked] = useState<Unlocked | null>(null);
  const [place, setPlace] = useState<'menu' | 'camera' | 'event'>('menu');
  const unlock = (operator: Unlocked) => {
    setUnlocked(operator);
    if (config?.event === null) setPlace('event');
  };
  const back = () => setPlace('menu');
  if (unlocked === null) return <Unlock onUnlocked={unlock} />;
  if (place === 'camera') return <CameraTest onDone={back} />;
  if (place === 'event') return <EventChoice unlocked={unlocked} onBack={back} />;
  return <Menu unlocked={unlocked} onOpen={setPlace} />;
}
