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

type Policy = { allowsFeature: (feature: string) => boolean };

/**
 * Whether the page's own site, or the page around it, lets it use a camera at all. Null if the browser does not tell, as
 * Firefox and Safari: a refusal may then be anybody's.
 */
function policyAllows(): boolean | null {
  const page = globalThis.document as { permissionsPolicy?: Policy; featurePolicy?: Policy } | undefined;
  return (page?.permissionsPolicy ?? page?.featurePolicy)?.allowsFeature('camera') ?? null;
}

/** Whether another page shows this one in a frame. */
export const isFramed = (): boolean => window.parent !== window;

/** Who forbids the camera: `framed` the page around this one, `forbidden` this site; null for nobody that is known. */
export function forbidderOf(): 'framed' | 'forbidden' | null {
  if (policyAllows() !== false) return null;
  return isFramed() ? 'framed' : 'forbidden';
}

/** Whether a refusal may be that of the page around this one, though the browser does not say so. */
export const mayBeFramed = (): boolean => isFramed() && policyAllows() === null;
