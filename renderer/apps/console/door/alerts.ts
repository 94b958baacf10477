/** Sound and a notification when a guest needs staff. Off until staff turn them on in this browser. */
import { useEffect, useRef, useState } from 'react';
import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { playTones } from '../../../ui/tones.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { headlineOf } from './results.ts';

const MEMORY = 'gatehouse.console.door-alerts';
/** Results that need action. */
const ALERTING: ReadonlySet<string> = new Set(['ask', 'already', 'turned_away']);
/** Two falling tones, unlike a ring tone. */
const TONES_HZ = [660, 440];
/** Missing in Android's WebView. */
const notifier = (window as { Notification?: typeof Notification }).Notification;

export function useAlerts(newest: DoorRun | undefined): { isOn: boolean; toggle: () => void } {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const { language } = useLanguage();
  const [isOn, setIsOn] = useState(() => localStorage.getItem(MEMORY) === 'on');
  const key = newest === undefined ? null : `${newest.session_id} ${newest.at}`;
  const seen = useRef(key);
  useEffect(() => {
    if (key === seen.current) return;
    seen.current = key;
    if (!isOn || newest === undefined || !ALERTING.has(newest.result)) return;
    playTones(TONES_HZ);
    notify(headlineOf(newest, words, outcomes, language), newest.guest ?? '');
  }, [key, isOn, newest, words, outcomes, language]);
  return {
    isOn,
    toggle: () => {
      localStorage.setItem(MEMORY, isOn ? 'off' : 'on');
      setIsOn(!isOn);
      if (isOn) return;
      // The click allows the browser to play sound and to ask for permission.
      playTones(TONES_HZ);
      if (notifier?.permission === 'default') void notifier.requestPermission();
    },
  };
}

/** Only while nobody is looking at the page; the notification leads back to it. */
function notify(title: string, body: string): void {
  if (!document.hidden || notifier?.permission !== 'granted') return;
  const shown = new notifier(title, { body, tag: 'gatehouse-door' });
  shown.onclick = () => window.focus();
}
