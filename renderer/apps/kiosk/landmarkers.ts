/**
 * The kiosk's one landmarker. Its worker holds the last pictures in memory that cannot be cleared, so each person gets
 * a worker of their own: the old one is ended and the next is made ready while the attract screen shows.
 */
import { createLandmarker, type Landmarker, visionAssets } from '../../capture/landmarker.ts';

export type Landmarkers = {
  get: () => Landmarker;
  /** Ends the present one, with every picture it has seen, and prepares the next. */
  renew: () => void;
};

const newLandmarker = (): Landmarker =>
  createLandmarker(visionAssets(import.meta.env.BASE_URL, location.origin));

export function createLandmarkers(make: () => Landmarker = newLandmarker): Landmarkers {
  let present: Landmarker | null = null;
  const get = (): Landmarker => {
    if (present !== null) return present;
    const made = make();
    present = made;
    // One whose files could not be loaded is of no use to anybody.
    made.ready.catch(() => {
      if (present === made) present = null;
      made.close();
    });
    return made;
  };
  return {
    get,
    renew() {
      const used = present;
      present = null;
      used?.close();
      get();
    },
  };
}
