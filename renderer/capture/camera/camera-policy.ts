/** Whether this page may use a camera at all, whatever the person says. Separate from `camera-permission.ts`, which is loaded first. */

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
const isFramed = (): boolean => window.parent !== window;

/** Who forbids the camera: `framed` the page around this one, `forbidden` this site; null for nobody that is known. */
export function forbidderOf(): 'framed' | 'forbidden' | null {
  if (policyAllows() !== false) return null;
  return isFramed() ? 'framed' : 'forbidden';
}

/** Whether a refusal may be that of the page around this one, though the browser does not say so. */
export const mayBeFramed = (): boolean => isFramed() && policyAllows() === null;
