/** What the kiosk's page may use: the camera's picture, and nothing else. */

/** `mediaTypes` or `mediaType` as Electron's handlers tell them. */
export type Asked = { permission: string; url: string; media: readonly (string | undefined)[] };

/** @param origin where the kiosk's page comes from; null while there is none */
export function isKioskPermissionAllowed({ permission, url, media }: Asked, origin: string | null): boolean {
  if (origin === null || permission !== 'media' || !URL.canParse(url) || new URL(url).origin !== origin)
    return false;
  return media.length > 0 && media.every((kind) => kind === 'video');
}
