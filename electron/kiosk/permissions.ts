/** Permissions of the kiosk's page: the camera's picture, and nothing else. */

/** `mediaTypes` or `mediaType`, from Electron's handlers. */
export type Asked = { permission: string; url: string; media: readonly (string | undefined)[] };

/** @param origin of the kiosk's page; null if there is none */
export function isKioskPermissionAllowed({ permission, url, media }: Asked, origin: string | null): boolean {
  if (origin === null || permission !== 'media' || !URL.canParse(url) || new URL(url).origin !== origin)
    return false;
  return media.length > 0 && media.every((kind) => kind === 'video');
}
