/**
 * The permission to use a camera as the browser remembers it, without asking the person. Null where the browser does not
 * say: web views on Android have no `navigator.permissions`, and Firefox before 132 does not know `camera`.
 */
export async function cameraPermission(): Promise<PermissionStatus | null> {
  const permissions = navigator.permissions as Permissions | undefined;
  try {
    return (await permissions?.query({ name: 'camera' })) ?? null;
  } catch {
    return null;
  }
}
