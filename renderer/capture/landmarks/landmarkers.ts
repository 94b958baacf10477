/** The only landmarker of a page: started ahead of the camera, replaced after a failure or for the next person. */
import { createLandmarker, type Landmarker, visionAssets } from './landmarker.ts';
import { createDownloadedLandmarker } from './model-download.ts';

export type Landmarkers = {
  /** Starts it at the first call, and again after one that could not be loaded. */
  get: () => Landmarker;
  /**
   * Closes the current one and starts the next. The memory of its worker cannot be cleared, so at a kiosk each person
   * gets a new worker.
   */
  renew: () => void;
};

type LandmarkerMakers = {
  /** Downloads the files first and reports the progress. */
  download: () => Landmarker;
  /** Uses files in the browser's cache. */
  create: () => Landmarker;
};

function landmarkerMakers(): LandmarkerMakers {
  const assets = visionAssets(import.meta.env.BASE_URL, location.origin);
  const create = () => createLandmarker(assets);
  return { create, download: () => createDownloadedLandmarker(assets, create) };
}

export function createLandmarkers(makers?: LandmarkerMakers): Landmarkers {
  let present: Landmarker | null = null;
  let isCached = false;
  const make = () => {
    const { create, download } = makers ?? landmarkerMakers();
    return isCached ? create() : download();
  };
  const get = (): Landmarker => {
    if (present !== null) return present;
    const made = make();
    present = made;
    made.ready.then(
      () => {
        isCached = true;
      },
      () => {
        made.close();
        if (present !== made) return;
        present = null;
        isCached = false;
      },
    );
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
