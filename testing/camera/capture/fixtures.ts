/** Clips of plain colours for tests of the camera itself: no photo, no Chromium, no rendering. */
import sharp from 'sharp';
import type { Clips, Frame } from '../clips.ts';
import { CLIP_NAMES, clipFrames, type ClipName } from '../motion.ts';

/** The red of each clip's frames; 0 is black. */
export const RED_OF: Record<ClipName, number> = {
  idle: 30,
  turn_left: 60,
  turn_right: 90,
  look_up: 120,
  look_up_smile: 225,
  blink: 150,
  smile: 180,
  open_mouth: 210,
  move_closer: 240,
};

export async function colourClips(): Promise<Clips> {
  const size = { width: 64, height: 48 };
  const clips = await Promise.all(
    CLIP_NAMES.map(async (clip) => {
      const background = { r: RED_OF[clip], g: 0, b: 0 };
      const jpeg = await sharp({ create: { ...size, channels: 3, background } })
        .jpeg({ quality: 95 })
        .toBuffer();
      return [clip, clipFrames(clip, false).map((frame): Frame => ({ ...frame, jpeg }))] as const;
    }),
  );
  return { person: 'colours', size, flat: false, clips: Object.fromEntries(clips) as Clips['clips'] };
}

/** Mean red of a picture, 0 to 255. */
export async function meanRed(jpeg: Buffer): Promise<number> {
  const { channels } = await sharp(jpeg).stats();
  return channels[0]?.mean ?? 0;
}
