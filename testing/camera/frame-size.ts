/** Width and height of what the scripted camera delivers, in pixels. */
export type FrameSize = { readonly width: number; readonly height: number };

export const LANDSCAPE: FrameSize = { width: 640, height: 480 };
