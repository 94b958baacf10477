/** Whether a page runs on a phone. Wrong guesses cost a detour, never the check: the server decides. */
import type { Device } from '../../server/contract/flow.ts';

export type DeviceSigns = { userAgent: string; coarsePointer: boolean; touchPoints: number };

/** Tablets that call themselves a Mac are told by their touch screen. */
export function deviceOf({ userAgent, coarsePointer, touchPoints }: DeviceSigns): Device {
  if (/Android|iPhone|iPad|iPod|Mobile/i.test(userAgent)) return 'mobile';
  if (/Macintosh/.test(userAgent) && touchPoints > 1) return 'mobile';
  return coarsePointer && touchPoints > 0 ? 'mobile' : 'desktop';
}
