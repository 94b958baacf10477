/** Whether there may be a camera. Separate from `browser.ts`, because the hosted page asks before it loads the capture. */

/** Whether the browser offers cameras at all. It does not on insecure origins and in some in-app browsers. */
export const hasCameraInterface = (): boolean =>
  (navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia !== undefined;

/**
 * The browser's stored permission to use a camera, without asking the person. Null if the browser does not tell: web
 * views on Android have no `navigator.permissions`, and Firefox before 132 does not know `camera`.
 */
export async function cameraPermission(): Promise<PermissionStatus | null> {
  const permissions = navigator.permissions as Permissions | undefined;
  try {
    return (await permissions?.query({ name: 'camera' })) ?? null;
  } catch {
    return null;
  }
}
