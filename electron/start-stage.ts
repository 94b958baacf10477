/** How far the server's start has come, as the log tells of the first of the face engine's threads. */
export const START_STAGES = ['loaded', 'opened'] as const;
export type StartStage = (typeof START_STAGES)[number];

/** The stage that a line of the server's log tells of; null for any other line. */
export function startStageIn(line: string): StartStage | null {
  if (!line.includes('worker_starting')) return null;
  try {
    const { face_engine: event } = JSON.parse(line) as { face_engine?: { stage?: unknown } };
    return START_STAGES.find((stage) => stage === event?.stage) ?? null;
  } catch {
    return null;
  }
}
