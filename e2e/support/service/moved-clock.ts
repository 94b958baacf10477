/** Loaded into a server under test before its own code: moves its clocks ahead by the values in a file. */
import { readFileSync } from 'node:fs';

/** The content of the file, in ms: the wall clock is ahead by both, the steady clock only by `passedMs`. */
export type ClockLead = { setMs: number; passedMs: number };

const file = process.env['TEST_CLOCK_FILE'];
/** Interval at which the file is read again. */
const LOOK_AGAIN_MS = 20;

if (file !== undefined) {
  const wallNow = Date.now.bind(Date);
  const steadyNow = performance.now.bind(performance);
  let lead: ClockLead = { setMs: 0, passedMs: 0 };
  let lookedAtMs = -Infinity;
  const look = (): ClockLead => {
    const now = steadyNow();
    if (now - lookedAtMs > LOOK_AGAIN_MS) {
      lookedAtMs = now;
      lead = JSON.parse(readFileSync(file, 'utf8')) as ClockLead;
    }
    return lead;
  };
  Date.now = () => {
    const { setMs, passedMs } = look();
    return wallNow() + setMs + passedMs;
  };
  performance.now = () => steadyNow() + look().passedMs;
}
