/** Sound and a notification when a guest needs staff. Off until staff turn them on in this browser. */
import { useEffect, useRef, useState } from 'react';
import type { DoorView } from '../../../../server/contract/console/door.ts';
import { playTones } from '../../../ui/tones.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { callingFor, headlineOf, type SeenRuns } from './results.ts';

const MEMORY = 'gatehouse.console.door-alerts';
/** Two falling tones, unlike a ring tone. */
const TONES_HZ = [660, 440];
/** Missing in Android's WebView. */
const notifier = (window as { Notification?: typeof Notification }).Notification;

/**
 * @param about the data that the results are about: after a change of it, nobody is called for until the next result
 */
export function useAlerts(
  { latest, under_way: underWay }: Pick<DoorView, 'latest' | 'under_way'>,
  about: string,
): { isOn: boolean; toggle: () => void } {
  const words = useWords('door');
  const outcomes = useWords('outcomes');
  const { language } = useLanguage();
  const [isOn, setIsOn] = useState(() => localStorage.getItem(MEMORY) === 'on');
  const last = useRef<{ about: string; seen: SeenRuns } | null>(null);
  const asked = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const known = last.current?.about === about ? last.current.seen : null;
    const { calling, seen } = callingFor(latest, known);
    last.current = { about, seen };
    const asking = underWay.filter(({ asks_staff }) => asks_staff);
    const isNew = asking.some(({ session_id }) => !asked.current.has(session_id));
    asked.current = new Set(asking.map(({ session_id }) => session_id));
    const [newest] = calling;
    if (!isOn || (newest === undefined && !isNew)) return;
    playTones(TONES_HZ);
    if (newest === undefined) notify(words.asksStaff, '');
    else notify(headlineOf(newest, words, outcomes, language), newest.guest ?? '');
  }, [latest, underWay, about, isOn, words, outcomes, language]);
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
