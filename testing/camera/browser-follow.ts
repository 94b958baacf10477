/** Runs in the page as an init script: it may use nothing from outside its own function. */
export function followInstructions(steps: string[]): void {
  /** A person reads first, and waits a little before trying again. */
  const reactionMs = 350;
  const beforeRetryMs = 700;
  const pause = (lengthMs: number) => new Promise((resolve) => setTimeout(resolve, lengthMs));
  const asked = () => document.querySelector<HTMLElement>('[data-step]')?.dataset['step'] ?? '';

  void (async () => {
    let last = '';
    for (;;) {
      const step = asked();
      if (steps.includes(step)) {
        await pause(step === last ? beforeRetryMs : reactionMs);
        if (asked() === step) await window.__camera?.play(step);
        last = step;
      } else {
        last = '';
        await pause(50);
      }
    }
  })();
}
