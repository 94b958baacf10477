/** Why nobody can be checked right now. Disappears automatically with the cause. */
import { useEffect, useState } from 'react';
import { closeCamera } from '../../../capture/camera/camera.ts';
import { weekdayAndTime } from '../../../i18n/language.ts';
import type { CameraTrouble } from '../../../i18n/messages.ts';
import type { KioskTrouble } from '../../../i18n/messages.ts';
import type { IconName } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import type { Stage } from '../kiosk-state.ts';
import { Screen } from '../parts/Screen.tsx';

const ICONS: Record<KioskTrouble, IconName> = {
  offline: 'offline',
  maintenance: 'clock',
  no_event: 'info',
  not_started: 'clock',
  over: 'check',
  camera_refused: 'camera',
  camera_missing: 'camera',
  camera_busy: 'camera',
  camera_lost: 'camera',
  camera_silent: 'camera',
  portal: 'lock',
  not_loaded: 'repeat',
};

/** Retry interval for a failed camera, and for files that did not load. */
const TRY_EVERY_MS = 2_500;

export function Trouble({ trouble, stage }: { trouble: KioskTrouble; stage: Stage }) {
  const { kiosk, memory, cameras, words, config, language } = useKiosk();
  const { title, text } = words.trouble[trouble];
  const [nowMs] = useState(Date.now);
  const failed = stage.kind === 'visit' && stage.cameraTrouble !== null ? stage : null;

  useEffect(() => {
    if (failed === null) return;
    const { visit, cameraTrouble } = failed;
    let isOver = false;
    const timer = setInterval(() => {
      const retry = async () => {
        if (!isOfLoading(cameraTrouble)) closeCamera((await cameras.take(memory.cameraId())).stream);
        if (!isOver) kiosk.cameraFailed(visit, null);
      };
      retry().catch(() => undefined);
    }, TRY_EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [failed, kiosk, memory, cameras, trouble]);

  const isEnd = trouble === 'over' || trouble === 'no_event' || trouble === 'not_started';
  const startsAt = trouble === 'not_started' ? config?.event?.starts_at : undefined;
  return (
    <Screen title={title} icon={ICONS[trouble]} tone={isEnd ? 'plain' : 'look'}>
      <Lead data-say data-trouble={trouble}>
        {text}
      </Lead>
      {startsAt !== undefined && (
        <p className="lead">{words.startsAt({ time: weekdayAndTime(startsAt, nowMs, language) })}</p>
      )}
      {!isEnd && trouble !== 'camera_refused' && (
        <p className="trying" role="status">
          <span className="spinner spinner--small" aria-hidden="true" />
          {words.stillTrying}
        </p>
      )}
    </Screen>
  );
}

/** A file may load at the next try; an unsupported browser stays unsupported. */
const isOfLoading = (trouble: CameraTrouble | null): boolean =>
  trouble === 'not_loaded' || trouble === 'offline' || trouble === 'blocked' || trouble === 'portal';
