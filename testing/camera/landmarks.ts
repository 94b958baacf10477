/** Finds the face mesh of a still with MediaPipe in a real Chromium, the way the product's page does. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Route } from '@playwright/test';
import { chromiumOptions } from '../browsers.ts';
import { faceTask, VISION_PACKAGE_DIR } from './sources.ts';

/** Landmarks in shares of width and height (z in shares of width), and the pose matrix, column-major. */
export type FaceMesh = { landmarks: [number, number, number][]; matrix: number[] };

const ORIGIN = 'https://camera.invalid';
const MAX_FACES = 6;
const PAGE = `<!doctype html><script type="module">
  import { FaceLandmarker, FilesetResolver } from '${ORIGIN}/vision_bundle.mjs';
  window.start = async () => {
    const files = await FilesetResolver.forVisionTasks('${ORIGIN}/wasm');
    window.landmarker = await FaceLandmarker.createFromOptions(files, {
      baseOptions: { modelAssetPath: '${ORIGIN}/face.task', delegate: 'CPU' },
      runningMode: 'IMAGE',
      numFaces: ${MAX_FACES},
      minFaceDetectionConfidence: 0.3,
      outputFacialTransformationMatrixes: true,
    });
  };
  window.measure = async (place) => {
    const image = new Image();
    image.src = '${ORIGIN}/' + place + '.jpg';
    await image.decode();
    const found = window.landmarker.detect(image);
    return found.faceLandmarks.map((points, face) => ({
      landmarks: points.map(({ x, y, z }) => [x, y, z]),
      matrix: Array.from(found.facialTransformationMatrixes[face].data),
    }));
  };
</script>`;

/** @returns for each picture one mesh a face, in no particular order; none when no face is found */
export async function faceMeshes(jpegs: readonly Buffer[]): Promise<FaceMesh[][]> {
  const task = await faceTask();
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}/**`, async (route) => answer(route, { jpegs, task }));
    await page.goto(`${ORIGIN}/`);
    await page.waitForFunction('window.start');
    await page.evaluate('start()');
    const meshes: FaceMesh[][] = [];
    for (const place of jpegs.keys()) meshes.push(await page.evaluate<FaceMesh[]>(`measure(${place})`));
    return meshes;
  } finally {
    await browser.close();
  }
}

async function answer(
  route: Route,
  { jpegs, task }: { jpegs: readonly Buffer[]; task: Buffer },
): Promise<void> {
  const { pathname } = new URL(route.request().url());
  if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: PAGE });
  const still = jpegs[Number(/^\/(\d+)\.jpg$/.exec(pathname)?.[1])];
  if (still) return route.fulfill({ contentType: 'image/jpeg', body: still });
  if (pathname === '/face.task') return route.fulfill({ body: task });
  if (!/^\/(wasm\/)?[\w.]+$/.test(pathname) || pathname === '/favicon.ico') return route.abort();
  const contentType = pathname.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
  return route.fulfill({ contentType, body: await readFile(join(VISION_PACKAGE_DIR, pathname)) });
}
