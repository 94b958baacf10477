/** Runs in the page as an init script, so it may use nothing outside its own function. */
export function followInstructions(steps: string[]): void {
  /** A person reads first, holds a gesture until the page requests something else, and rests before trying again. */
  const reactionMs = 350;
  const heldAtMostMs = 4_000;
  const beforeRetryMs = 700;
  const lookMs = 30;
  const pause = (lengthMs: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, lengthMs)));
  const asked = () => document.querySelector<HTMLElement>('[data-step]')?.dataset['step'] ?? '';

  void (async () => {
    for (;;) {
      const step = asked();
      if (!steps.includes(step)) {
        await pause(lookMs);
        continue;
      }
      await pause(reactionMs);
      if (asked() !== step) continue;
      const over = window.__camera?.hold(step);
      const heldSinceMs = performance.now();
      while (asked() === step && performance.now() - heldSinceMs < heldAtMostMs) await pause(lookMs);
      window.__camera?.release();
      await over;
      if (asked() === step) await pause(beforeRetryMs);
    }
  })();
}
