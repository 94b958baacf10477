/**
 * One tab of a browser is the kiosk. Otherwise every tab would report itself and start the walk-up that staff asked
 * for. The browser frees the lock when the tab that holds it closes or crashes.
 */
const LOCK = 'gatehouse.kiosk';

/** A page that reloads holds its lock a moment longer, so the new one waits before it says that another tab has it. */
const SAY_AFTER_MS = 1_000;

/** A tab that crashes, or that the browser ends quickly, says nothing: after so many questions it is taken to be gone. */
const ASK_EVERY_MS = 3_000;
const UNANSWERED = 3;

type TabHooks = {
  /** This tab is the kiosk from now on. */
  onHeld: () => void;
  /** Another tab is the kiosk. */
  onElsewhere: () => void;
  /** Is given what to call when this tab closes. */
  onClose: (leave: () => void) => void;
};

/**
 * @param locks undefined where a browser has none: outside a secure context, where it has no camera either
 * @returns takes the kiosk over from the tab that has it
 */
export function claimTab(locks: LockManager | undefined, hooks: TabHooks): () => void {
  return locks === undefined ? claimByAsking(hooks) : claimByLock(locks, hooks);
}

function claimByLock(locks: LockManager, { onHeld, onElsewhere }: TabHooks): () => void {
  /** Null while this tab is the kiosk. */
  let queued: AbortController | null = null;
  const saying = setTimeout(onElsewhere, SAY_AFTER_MS);
  const request = (options: LockOptions): void => {
    let isHeld = false;
    const hold = () => {
      isHeld = true;
      queued = null;
      clearTimeout(saying);
      onHeld();
      return new Promise<never>(() => undefined);
    };
    locks.request(LOCK, options, hold).catch(() => {
      if (options.signal?.aborted) return;
      if (isHeld) {
        queue();
        onElsewhere();
      }
      // A browser that keeps nothing for this site has no other tab of this kiosk.
      else void hold();
    });
  };
  const queue = () => {
    queued = new AbortController();
    request({ signal: queued.signal });
  };
  queue();
  return () => {
    if (queued === null) return;
    queued.abort();
    queued = null;
    request({ steal: true });
  };
}

/** `held` and `free` are about the tab that sends them. */
type TabMessage = { kind: 'ask' } | { kind: 'free' } | { kind: 'held'; turn: number };

/** Tabs without locks ask each other. */
function claimByAsking({ onHeld, onElsewhere, onClose }: TabHooks): () => void {
  const channel = new BroadcastChannel(LOCK);
  const send = (message: TabMessage) => channel.postMessage(message);
  /** Of two tabs that become the kiosk at once, the one with the higher number stays. */
  let turn = Math.random();
  let highestTurn = turn;
  let isHeld = false;
  let unanswered = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const hold = () => {
    clearTimeout(waiting);
    isHeld = true;
    send({ kind: 'held', turn });
    onHeld();
  };
  const ask = () => {
    clearTimeout(waiting);
    send({ kind: 'ask' });
    waiting = setTimeout(hold, SAY_AFTER_MS);
  };
  const askWhetherItIsThere = () => {
    waiting = setTimeout(() => {
      unanswered += 1;
      send({ kind: 'ask' });
      askWhetherItIsThere();
      if (unanswered <= UNANSWERED) return;
      // One that was only busy stays the kiosk.
      turn = 0;
      hold();
    }, ASK_EVERY_MS);
  };
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'free') {
      if (!isHeld) ask();
      return;
    }
    if (data.kind === 'held') highestTurn = Math.max(highestTurn, data.turn);
    if (isHeld && (data.kind === 'ask' || data.turn < turn)) {
      send({ kind: 'held', turn });
      return;
    }
    if (data.kind === 'ask') return;
    clearTimeout(waiting);
    isHeld = false;
    unanswered = 0;
    askWhetherItIsThere();
    onElsewhere();
  };
  onClose(() => {
    if (isHeld) send({ kind: 'free' });
  });
  ask();
  return () => {
    if (isHeld) return;
    turn = highestTurn + 1;
    hold();
  };
}
