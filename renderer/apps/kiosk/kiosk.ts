/**
 * The kiosk: one state, changed by guests, by staff and by the server's orders. Every end of a visit goes through
 * `reset`, which clears the person's data.
 */
import type { OpenResponse } from '../../../server/contract/flow.ts';
import type {
  KioskCamera,
  KioskHeartbeat,
  KioskLanguage,
  KioskOrders,
  KioskScreen,
} from '../../../server/contract/kiosk.ts';
import type { DoorTicket, KioskTicketRequest } from '../../../server/contract/tickets.ts';
import type { LanguageOffer } from '../../../server/contract/languages.ts';
import type { CameraTrouble } from '../../i18n/messages.ts';
import type { CameraPresence } from './device/camera-state.ts';
import type { Connection, ConnectionHooks } from './connection.ts';
import type { LeaveProof } from './device/desktop.ts';
import type { DeviceMemory } from './device/device-memory.ts';
import { kioskRefusalOf, isUnpaired, type KioskApi, type KioskRefusal } from './kiosk-api.ts';
import { type KioskState, shownDecision, type Stage, standingTrouble, type Start } from './kiosk-state.ts';
import type { Visit } from './visit.ts';

type KioskParts = {
  /** Public part of a new key for this device; null if it cannot store one. */
  newKey: () => Promise<string | null>;
  api: KioskApi;
  memory: DeviceMemory;
  connect: (hooks: ConnectionHooks) => Connection;
  startVisit: (opened: OpenResponse) => Visit;
  /** Clears what the page itself keeps of a visit: frames, requested addresses. */
  wipe: () => void;
  /** The device's own language among those offered, before anyone has chosen one and if there is no event. */
  usualLanguage: (offer: LanguageOffer) => KioskLanguage;
  /** The default until the server's config is loaded. */
  firstOffer: LanguageOffer;
};

const isOtherCode = ({ code }: KioskRefusal): boolean => code === 'not_our_link' || code === 'not found';

/** What only the picture shows. */
type SeenCamera = Extract<KioskCamera, 'ready' | 'covered' | 'dark' | 'turned' | 'mirrored'>;
const SEEN: readonly KioskCamera[] = ['covered', 'dark', 'silent', 'turned', 'mirrored'];

/** What these stages show is about a guest. */
const OF_A_GUEST: readonly Stage['kind'][] = ['visit', 'scan', 'ticket', 'party'];

/** After the first screen was drawn. */
const DRAW_AGAIN_AFTER_MS = 500;

export type Kiosk = ReturnType<typeof createKiosk>;

export function createKiosk(parts: KioskParts) {
  const { api, memory, firstOffer } = parts;
  const listeners = new Set<() => void>();
  let connection: Connection | null = null;
  let handledCommand: string | null = null;
  let isReadingConfig = false;
  /** Distinguishes a reply that a reset has overtaken from the expected one. */
  let epoch = 0;
  let shownScreen: KioskScreen = 'trouble';
  let state: KioskState = {
    tab: 'asking',
    pairing: { isPaired: memory.token() !== null, wasRevoked: false, isBusy: false, problem: null },
    stage: { kind: 'attract' },
    party: [],
    isOnline: null,
    isPortal: false,
    isMaintenance: false,
    config: null,
    camera: 'unknown',
    language: parts.usualLanguage(firstOffer),
    isCalm: false,
    isReadAloud: false,
  };

  const set = (change: Partial<KioskState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const enter = (stage: Stage, change: Partial<KioskState> = {}) => set({ ...change, stage });
  const usualLanguage = () => parts.usualLanguage(state.config?.languages ?? firstOffer);
  const languages = (): readonly KioskLanguage[] => state.config?.event?.languages ?? [usualLanguage()];
  const ownLanguage = (): KioskLanguage => languages()[0] ?? usualLanguage();

  const reset = () => {
    epoch += 1;
    const { stage } = state;
    if (stage.kind === 'visit') stage.visit.end();
    enter({ kind: 'attract' }, { language: ownLanguage(), isCalm: false, isReadAloud: false, party: [] });
    if (OF_A_GUEST.includes(stage.kind)) parts.wipe();
    connection?.beat();
  };

  const status = (): KioskHeartbeat => ({
    screen: shownScreen,
    camera: state.camera,
    session_id: state.stage.kind === 'visit' ? state.stage.visit.sessionId : null,
    handled_command_id: handledCommand,
  });

  const readConfig = async () => {
    if (isReadingConfig) return;
    isReadingConfig = true;
    try {
      const config = await api.config();
      set({ config });
      // Nobody is choosing right now, so the event's own language is shown.
      if (state.stage.kind === 'attract') set({ language: ownLanguage() });
    } catch (error) {
      fail(kioskRefusalOf(error));
    } finally {
      isReadingConfig = false;
    }
  };

  const obey = (orders: KioskOrders) => {
    if (state.isMaintenance !== orders.maintenance) set({ isMaintenance: orders.maintenance });
    if (orders.config_version !== state.config?.config_version) void readConfig();
    const { command } = orders;
    if (command === null || command.command_id === handledCommand) return;
    // A walk-up waits for the config, which has the languages to offer.
    if (command.kind === 'walk_up' && state.config === null) return;
    handledCommand = command.command_id;
    if (command.kind === 'reset') reset();
    else if (state.stage.kind === 'attract') touch('walk_up');
    connection?.beat();
  };

  const unpaired = () => {
    connection?.stop();
    connection = null;
    reset();
    memory.keepToken(null);
    set({ config: null, pairing: { isPaired: false, wasRevoked: true, isBusy: false, problem: null } });
  };

  /** The effect of a refusal on the whole kiosk. */
  const fail = (problem: KioskRefusal) => {
    if (isUnpaired(problem)) unpaired();
    else if (problem.code === 'offline' || problem.code === 'portal')
      set({ isOnline: false, isPortal: problem.code === 'portal' });
    else if (problem.code === 'maintenance') set({ isMaintenance: true });
  };

  const online = () => {
    connection?.stop();
    if (state.tab !== 'this') return;
    connection = parts.connect({
      status,
      onOrders: obey,
      onOnline: (isOnline, isPortal = false) => {
        if (state.isOnline !== isOnline || state.isPortal !== isPortal) set({ isOnline, isPortal });
      },
      onUnpaired: unpaired,
    });
    void readConfig();
  };

  const pair = async (code: string) => {
    if (state.pairing.isBusy) return;
    set({ pairing: { ...state.pairing, isBusy: true, problem: null } });
    try {
      const paired = await api.pair(code, await parts.newKey());
      memory.keepToken(paired.device_token);
      set({ pairing: { isPaired: true, wasRevoked: false, isBusy: false, problem: null }, isOnline: null });
      online();
    } catch (error) {
      const { code: problem } = kioskRefusalOf(error);
      set({ pairing: { ...state.pairing, isBusy: false, problem } });
    }
  };

  /**
   * Requests a run, or another stage, from the server and shows it, unless the kiosk was reset meanwhile.
   * @param isPassedOver refusals that change nothing on the screen @returns whether it was one
   */
  const open = async (
    ask: () => Promise<OpenResponse | Stage>,
    isPassedOver: (problem: KioskRefusal) => boolean = () => false,
  ): Promise<boolean> => {
    const mine = ++epoch;
    const isOvertaken = () => mine !== epoch;
    if (state.stage.kind !== 'scan') enter({ kind: 'opening' });
    try {
      const opened = await ask();
      if (isOvertaken()) return false;
      enter(
        'kind' in opened
          ? opened
          : {
              kind: 'visit',
              visit: parts.startVisit(opened),
              cameraTrouble: null,
              asksStaff: false,
              admission: null,
            },
      );
    } catch (error) {
      if (isOvertaken()) return false;
      const problem = kioskRefusalOf(error);
      fail(problem);
      if (isUnpaired(problem)) return false;
      if (isPassedOver(problem)) return true;
      // The start screen shows a trouble that blocks every check.
      const isStanding = standingTrouble(state) !== null;
      enter(isStanding ? { kind: 'attract' } : { kind: 'refused', problem: problem.code });
      void readConfig();
    }
    connection?.beat();
    return false;
  };

  const openTicket = (shown: KioskTicketRequest, isPassedOver?: typeof isOtherCode): Promise<boolean> =>
    open(async () => {
      const { opened, decision } = await api.ticket(shown);
      if (opened !== null) return opened;
      if (decision === null) throw new Error('No decision.');
      return { kind: decision.verdict === 'ask_party' ? 'party' : 'ticket', decision };
    }, isPassedOver);

  /** Asks the server whether the guest who passed may enter. Resolves with whether the code is of no ticket. */
  const admit = async (text?: string): Promise<boolean> => {
    const { stage } = state;
    if (stage.kind !== 'visit') return false;
    const mine = epoch;
    if (text === undefined) enter({ ...stage, admission: 'asked' });
    try {
      const admission = await api.admission(stage.visit.sessionId, text);
      if (mine !== epoch) return false;
      if (text !== undefined && admission.why === 'unknown') return true;
      enter({ ...stage, admission });
    } catch (error) {
      if (mine !== epoch) return false;
      const problem = kioskRefusalOf(error);
      fail(problem);
      if (isUnpaired(problem)) return false;
      stage.visit.end();
      enter({ kind: 'refused', problem: problem.code });
    }
    return false;
  };

  const touch = (start: Start, language: KioskLanguage = ownLanguage()) => {
    if (state.stage.kind !== 'attract' || standingTrouble(state) !== null) return;
    set({ language });
    if (start === 'scan' || state.config?.event?.ticket_first) enter({ kind: 'scan' });
    else void open(api.walkUp);
  };

  /**
   * This tab is the kiosk from now on: connects, if the device is paired.
   * @param code of a pairing address
   */
  const start = (code: string | null = null) => {
    // Another tab may have paired or unpaired the device.
    const isPaired = memory.token() !== null;
    const pairing = { isPaired, wasRevoked: false, isBusy: false, problem: null };
    // The keys for a code appear only if the address's own failed.
    set({ tab: code === null ? 'this' : 'asking', pairing });
    const connectOnce = () => {
      if (state.tab === 'asking') set({ tab: 'this' });
      if (connection === null && state.pairing.isPaired) online();
    };
    if (code === null) connectOnce();
    else void pair(code).then(connectOnce);
  };

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
    /** A pairing address was opened in this tab: a guest in a check here has left. */
    pairAgain: (code: string) => {
      reset();
      start(code);
    },
    /** Another tab is the kiosk: this one ends its visit and does nothing until it is started. */
    stop: () => {
      connection?.stop();
      connection = null;
      reset();
      set({ tab: 'other', config: null, isOnline: null });
    },
    pair,
    /** A guest touched the start screen; without a language it stays in the event's first one. */
    touch,
    setLanguage: (language: KioskLanguage) => set({ language }),
    /** A QR code was read. Resolves with whether it leads to no check here, so that scanning continues. */
    scanned: async (text: string): Promise<boolean> => {
      const { stage, config } = state;
      if (stage.kind === 'visit') return shownDecision(state)?.verdict === 'ask_ticket' ? admit(text) : false;
      const isWaiting = stage.kind === 'attract' && standingTrouble(state) === null;
      if (stage.kind !== 'scan' && !isWaiting) return false;
      // Only the scan screen can say that a code is another's and continue.
      const isPassedOver = isWaiting ? undefined : isOtherCode;
      return config?.event?.takes_tickets
        ? openTicket({ text }, isPassedOver)
        : open(() => api.scan(text), isPassedOver);
    },
    /** The guest of the visit passed the check. */
    admit: (): void => {
      if (state.stage.kind === 'visit' && state.stage.admission === null) void admit();
    },
    /** These guests of an order are checked now, one after the other. */
    partyIsHere: ([first, ...party]: readonly DoorTicket[]): void => {
      if (first === undefined) return;
      set({ party });
      void openTicket({ ticket_id: first.ticket_id });
    },
    /** The guest is gone: the next of their party, or the start screen. */
    leave: (): void => {
      const [next, ...party] = state.party;
      const isIn = shownDecision(state)?.verdict === 'admit';
      const { language } = state;
      reset();
      if (next === undefined || !isIn) return;
      set({ language, party });
      void openTicket({ ticket_id: next.ticket_id });
    },
    /** Returns to the start screen and forgets the guest. */
    reset,
    openStaff: () => {
      reset();
      enter({ kind: 'staff' });
    },
    /**
     * Unpairs the device for staff: first on the server, then here.
     * @throws RequestError if the server refuses; then nothing changes
     */
    unpair: async ({ operatorId, pin }: LeaveProof) => {
      try {
        await api.unpair(operatorId, pin);
      } catch (error) {
        if (!isUnpaired(kioskRefusalOf(error))) throw error;
      }
      unpaired();
      set({ pairing: { ...state.pairing, wasRevoked: false } });
    },
    setCalm: (isCalm: boolean) => set({ isCalm }),
    setReadAloud: (isReadAloud: boolean) => set({ isReadAloud }),
    /** The current screen, for the next heartbeat. */
    shows: (screen: KioskScreen) => {
      if (screen === shownScreen) return;
      shownScreen = screen;
      connection?.beat();
      // React keeps the previous screen’s props until another render, which releases the guest’s data.
      if (state.stage.kind === 'attract') setTimeout(() => set({}), DRAW_AGAIN_AFTER_MS);
    },
    /** What is known about the camera while it is off. */
    cameraIs: (presence: CameraPresence) => {
      const { camera } = state;
      // What was seen in the picture, or that there is none, stays until the picture says otherwise.
      const isSeen = SEEN.includes(camera);
      if (presence === camera || (presence === 'ready' && isSeen)) return;
      set({ camera: presence });
      connection?.beat();
    },
    /** The result of analysing the camera's picture. */
    cameraSees: (camera: SeenCamera) => {
      if (camera !== state.camera) set({ camera });
    },
    /** Whether the camera has a picture, before anybody looks at it. */
    cameraSends: (isThere: boolean) => {
      if (isThere === (state.camera !== 'silent')) return;
      set({ camera: isThere ? 'ready' : 'silent' });
      connection?.beat();
    },
    /** The camera failed during a visit, or came back (null). */
    cameraFailed: (visit: Visit, cameraTrouble: CameraTrouble | null) => {
      const { stage } = state;
      if (stage.kind === 'visit' && stage.visit === visit) enter({ ...stage, cameraTrouble });
    },
    /** The guest asks for staff, who then see it at the door, or goes back to the check. */
    askStaff: (asksStaff: boolean) => {
      if (state.stage.kind === 'visit') enter({ ...state.stage, asksStaff });
    },
  };
}
