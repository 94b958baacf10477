/** Width and height of the scripted camera's frames, in pixels. */
export type FrameSize = { readonly width: number; readonly height: number };

export const LANDSCAPE: FrameSize = { width: 640, height: 480 };
