/** Loaded into a server under test before its own code: its clock runs ahead by what a file says, in ms. */
import { readFileSync } from 'node:fs';

const file = process.env['TEST_CLOCK_FILE'];
/** The file is looked at again after this. */
const LOOK_AGAIN_MS = 20;

if (file !== undefined) {
  const realNow = Date.now.bind(Date);
  let aheadMs = 0;
  let lookedAtMs = 0;
  Date.now = () => {
    const now = realNow();
    if (now - lookedAtMs > LOOK_AGAIN_MS) {
      lookedAtMs = now;
      aheadMs = Number(readFileSync(file, 'utf8'));
    }
    return now + aheadMs;
  };
}
