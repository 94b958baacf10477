/**
 * What the device keeps across restarts: that it is paired, and the camera that staff chose. Nothing about a
 * person.
 */
export type DeviceMemory = ReturnType<typeof createDeviceMemory>;

const KEYS = { token: 'gatehouse.kiosk.token', camera: 'gatehouse.kiosk.camera' } as const;

/** @param storage `localStorage` or similar; if a call throws, the values last only as long as the page */
export function createDeviceMemory(storage: () => Storage) {
  const known = new Map<string, string | null>();
  const read = (key: string): string | null => {
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  };
  const keep = (key: string, value: string | null): void => {
    try {
      if (value === null) storage().removeItem(key);
      else storage().setItem(key, value);
      // Another tab may change it from now on.
      known.delete(key);
    } catch {
      // The next start asks for pairing again.
      known.set(key, value);
    }
  };
  return {
    token: () => read(KEYS.token),
    keepToken: (token: string | null) => keep(KEYS.token, token),
    cameraId: () => read(KEYS.camera),
    keepCameraId: (cameraId: string | null) => keep(KEYS.camera, cameraId),
  };
}
