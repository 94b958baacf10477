/** Shared by all parts of the kiosk's page: the kiosk, its messages, its voice. */
import { createContext, useContext } from 'react';
import type { KioskConfig, KioskLanguage } from '../../../server/contract/kiosk.ts';
import type { HostedMessages } from '../../../locales/types/hosted.ts';
import type { KioskMessages } from '../../../locales/types/kiosk.ts';
import type { KioskDesktop } from './device/desktop.ts';
import type { DeviceMemory } from './device/device-memory.ts';
import type { Kiosk } from './kiosk.ts';
import type { KioskApi } from './kiosk-api.ts';
import type { CameraKeeper } from '../../capture/camera/camera-keeper.ts';
import type { Landmarkers } from '../../capture/landmarks/landmarkers.ts';
import type { KioskLanguages, LoadedMessages } from './messages.ts';
import type { Speaker } from './device/speech.ts';

/** Created once, when the page starts. */
export type KioskServices = {
  kiosk: Kiosk;
  api: KioskApi;
  memory: DeviceMemory;
  landmarkers: Landmarkers;
  cameras: CameraKeeper;
  speaker: Speaker;
  desktop: KioskDesktop | null;
  languages: KioskLanguages;
  /** Makes this tab the kiosk instead of the one that is. */
  takeTab: () => void;
};

export type KioskPage = KioskServices & {
  config: KioskConfig | null;
  language: KioskLanguage;
  words: KioskMessages;
  messages: HostedMessages;
  /** Languages that can be offered because their messages are loaded. */
  loaded: LoadedMessages;
  isReadAloud: boolean;
  /** Reads a text aloud, if requested. */
  say: (text: string) => void;
  /** Reports that someone is there. */
  poke: () => void;
};

export const KioskContext = createContext<KioskPage | null>(null);

export function useKiosk(): KioskPage {
  const page = useContext(KioskContext);
  if (page === null) throw new Error('no kiosk');
  return page;
}
