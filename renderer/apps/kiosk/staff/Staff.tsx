/** What staff can do at the kiosk itself, after the server has checked a PIN. */
import { useState } from 'react';
import { CameraTest } from './CameraTest.tsx';
import { Menu } from './Menu.tsx';
import { Unlock } from './Unlock.tsx';
import type { Unlocked } from '../desktop.ts';

export function Staff() {
  const [unlocked, setUnlocked] = useState<Unlocked | null>(null);
  const [isCamera, setCamera] = useState(false);
  if (unlocked === null) return <Unlock onUnlocked={setUnlocked} />;
  if (isCamera) return <CameraTest onDone={() => setCamera(false)} />;
  return <Menu unlocked={unlocked} onCamera={() => setCamera(true)} />;
}
