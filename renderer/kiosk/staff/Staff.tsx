/** What staff can do at the kiosk itself, after the server has checked a PIN. */
import { useState } from 'react';
import type { LeaveProof } from '../desktop.ts';
import { CameraTest } from './CameraTest.tsx';
import { Menu } from './Menu.tsx';
import { Unlock } from './Unlock.tsx';

/** Who unlocked; the PIN is kept for as long as this screen, since leaving is checked once more by the desktop app. */
export type Unlocked = { name: string; proof: LeaveProof };

export function Staff() {
  const [unlocked, setUnlocked] = useState<Unlocked | null>(null);
  const [isCamera, setCamera] = useState(false);
  if (unlocked === null) return <Unlock onUnlocked={setUnlocked} />;
  if (isCamera) return <CameraTest onDone={() => setCamera(false)} />;
  return <Menu unlocked={unlocked} onCamera={() => setCamera(true)} />;
}
