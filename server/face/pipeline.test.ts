/** The real models on real photos. */
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANIFEST_DIR, modelsDir } from '../../scripts/assets/paths.ts';
import { testPhoto } from '../../scripts/assets/testing/samples.ts';
import type { FrameEvidence } from '../domain/capture/evidence.ts';
import { readEngineManifests } from './models/manifest.ts';
import { openPipeline, type FramePipeline } from './pipeline.ts';

/** Crops with one person each: position in the photo, in shares of its width and height. */
const PEOPLE = {
  /** Turned to the image's right, mouth open. */
  turnedRight: { photo: 5, left: 0.25, top: 0.2, width: 0.17, height: 0.36 },
  /** Turned to the image's left. */
  turnedLeft: { photo: 6, left: 0.27, top: 0.12, width: 0.22, height: 0.36 },
  /** Chin up. */
  lookingUp: { photo: 5, left: 0.53, top: 0.08, width: 0.18, height: 0.28 },
  /** Eyes lowered, head bowed. */
  lookingDown: { photo: 2, left: 0.7, top: 0.02, width: 0.22, height: 0.36 },
  frontal: { photo: 6, left: 0.57, top: 0.1, width: 0.16, height: 0.3 },
  /** The same person twice. */
  twinA: { photo: 1, left: 0.68, top: 0.08, width: 0.28, height: 0.34 },
  twinB: { photo: 3, left: 0.5, top: 0.05, width: 0.22, height: 0.4 },
} as const;
type Person = keyof typeof PEOPLE;

async function crop(person: Person): Promise<Sharp> {
  const { photo, left, top, width, height } = PEOPLE[person];
  const picture = sharp(await testPhoto(photo));
  const size = await picture.metadata();
  return picture.extract({
    left: Math.round(left * size.width),
    top: Math.round(top * size.height),
    width: Math.round(width * size.width),
    height: Math.round(height * size.height),
  });
}

const jpeg = async (picture: Sharp, quality = 92) =>
  new Uint8Array(await picture.jpeg({ quality }).toBuffer());
const cosine = (p: Float32Array, q: Float32Array) => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
const hamming = (p: Uint8Array, q: Uint8Array) =>
  p.reduce((sum, byte, i) => sum + (byte ^ q[i]!).toString(2).replaceAll('0', '').length, 0);

describe('evidence of a frame', () => {
  let pipeline: FramePipeline;

  beforeAll(async () => {
    pipeline = await openPipeline(readEngineManifests(MANIFEST_DIR), modelsDir());
  });
  afterAll(async () => {
    await pipeline.close();
  });

  const analyse = async (person: Person): Promise<FrameEvidence> =>
    pipeline.analyse(await jpeg(await crop(person)));
  /** A mask of one colour from the middle of the nose to the chin. */
  const masked = async (person: Person, colour: string): Promise<FrameEvidence> => {
    const bare = await (await crop(person)).png().toBuffer();
    const { width, height } = await sharp(bare).metadata();
    const landmarks = (await analyse(person)).face!.landmarks;
    const outline = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 29]
      .map((index) => `${landmarks[2 * index]},${landmarks[2 * index + 1]}`)
      .join(' ');
    const mask = `<svg width="${width}" height="${height}"><polygon points="${outline}" fill="${colour}"/></svg>`;
    return pipeline.analyse(await jpeg(sharp(bare).composite([{ input: Buffer.from(mask) }])));
  };
  const mirrored = async (person: Person) =>
    pipeline.analyse(await jpeg(sharp(await (await crop(person)).png().toBuffer()).flop()));

  it('notices a blue, white or black mask over nose and mouth, and no bare face', async () => {
    for (const person of Object.keys(PEOPLE) as Person[])
      expect((await analyse(person)).isCovered, person).toBe(false);
    for (const colour of ['#7fb2d9', '#f2f2f2', '#202020'])
      expect((await masked('frontal', colour)).isCovered, colour).toBe(true);
    // In pale light, only a colour is far enough from skin.
    expect((await masked('twinA', '#7fb2d9')).isCovered).toBe(true);
    expect((await masked('twinA', '#f2f2f2')).isCovered).toBe(false);
  });

  it.each(['turnedRight', 'turnedLeft'] as const)(
    'yaw and roll change sign in a mirror: %s',
    async (person) => {
      const { face } = await analyse(person);
      const { face: reflection } = await mirrored(person);
      expect(Math.sign(face!.yawRad)).toBe(person === 'turnedRight' ? 1 : -1);
      expect(Math.abs(face!.yawRad)).toBeGreaterThan(0.2);
      expect(Math.abs(face!.yawRad + reflection!.yawRad)).toBeLessThan(0.15);
      expect(Math.abs(face!.rollRad + reflection!.rollRad)).toBeLessThan(0.1);
      expect(Math.abs(face!.pitchRad - reflection!.pitchRad)).toBeLessThan(0.1);
    },
  );

  it('pitch is higher the further up a person looks', async () => {
    const [up, straight, down] = await inTurn(['lookingUp', 'turnedRight', 'lookingDown'] as const, analyse);
    expect(up!.face!.pitchRad).toBeGreaterThan(straight!.face!.pitchRad + 0.1);
    expect(down!.face!.pitchRad).toBeLessThan(straight!.face!.pitchRad - 0.1);
  });

  it('roll is positive when the head leans to the image’s right', async () => {
    const { face } = await analyse('twinA');
    expect(face!.rollRad).toBeGreaterThan(0.5);
  });

  it('lowered eyes measure lower than open ones, and an open mouth higher', async () => {
    const [down, open, frontal] = await inTurn(['lookingDown', 'turnedRight', 'frontal'] as const, analyse);
    const eyes = (evidence: FrameEvidence) => evidence.face!.eyeAspectLeft + evidence.face!.eyeAspectRight;
    expect(eyes(down!)).toBeLessThan(0.75 * eyes(frontal!));
    expect(open!.face!.mouthOpening).toBeGreaterThan(frontal!.face!.mouthOpening + 0.2);
  });

  it('embeddings have unit length, agree on one person and differ between two', async () => {
    const [a, b, other] = await inTurn(['twinA', 'twinB', 'frontal'] as const, analyse);
    expect(cosine(a!.embedding!, a!.embedding!)).toBeCloseTo(1, 4);
    expect(cosine(a!.embedding!, b!.embedding!)).toBeGreaterThan(0.55);
    expect(cosine(a!.embedding!, other!.embedding!)).toBeLessThan(0.45);
  });

  it('an embedding survives another size and encoding', async () => {
    const picture = await (await crop('frontal')).png().toBuffer();
    const large = await pipeline.analyse(await jpeg(sharp(picture).resize({ width: 900 })));
    const small = await pipeline.analyse(await jpeg(sharp(picture).resize({ width: 300 }), 80));
    expect(cosine(large.embedding!, small.embedding!)).toBeGreaterThan(0.9);
  });

  it('a fingerprint survives another encoding, and differs for another picture', async () => {
    const picture = await (await crop('frontal')).png().toBuffer();
    const [once, again, other] = await inTurn(
      [await jpeg(sharp(picture)), await jpeg(sharp(picture).resize({ width: 250 }), 60), await testPhoto(5)],
      (bytes) => pipeline.analyse(bytes),
    );
    expect(once!.sha256).not.toBe(again!.sha256);
    expect(hamming(once!.fingerprint, again!.fingerprint)).toBeLessThan(16);
    expect(hamming(once!.fingerprint, other!.fingerprint)).toBeGreaterThan(64);
  });

  it('blur lowers sharpness, a dark picture has less brightness', async () => {
    const picture = await (await crop('frontal')).png().toBuffer();
    const [plain, blurred, dark] = await inTurn(
      [sharp(picture), sharp(picture).blur(4), sharp(picture).linear(0.3, 0)],
      async (variant) => pipeline.analyse(await jpeg(variant)),
    );
    expect(blurred!.sharpness).toBeLessThan(plain!.sharpness / 3);
    expect(dark!.brightness).toBeLessThan(plain!.brightness / 2);
    expect(dark!.contrast).toBeLessThan(plain!.contrast);
  });

  it('counts the people in the picture', async () => {
    expect((await analyse('frontal')).faceCount).toBe(1);
    expect((await pipeline.analyse(await testPhoto(5))).faceCount).toBe(5);
  });

  it('a frame without a face has no face, no embedding and no genuine score', async () => {
    const wall = sharp({ create: { width: 640, height: 480, channels: 3, background: '#888' } });
    const evidence = await pipeline.analyse(await jpeg(wall));
    expect(evidence).toMatchObject({
      faceCount: 0,
      face: null,
      embedding: null,
      genuineScore: 0,
      sharpness: 0,
    });
    expect(evidence.brightness).toBeCloseTo(136, 0);
  });

  it('the still of a step is measured in full, but without the attack model', async () => {
    const picture = await jpeg(await crop('frontal'));
    const resting = await pipeline.analyse(picture);
    expect(await pipeline.analyse(picture, 'step')).toEqual({ ...resting, genuineScore: null });
  });

  it('applies the rotation that the camera recorded', async () => {
    const upright = await (await crop('frontal')).png().toBuffer();
    const plain = await pipeline.analyse(await jpeg(sharp(upright)));
    const turned = await pipeline.analyse(
      await jpeg(sharp(upright).rotate(-90).withMetadata({ orientation: 6 })),
    );
    expect([turned.width, turned.height]).toEqual([plain.width, plain.height]);
    expect(cosine(turned.embedding!, plain.embedding!)).toBeGreaterThan(0.97);
  });

  it.each<[string, () => Promise<Uint8Array>]>([
    ['nothing', async () => new Uint8Array()],
    ['text', async () => new TextEncoder().encode('not a picture at all')],
    ['a PNG', async () => (await crop('frontal')).png().toBuffer()],
    ['a WebP', async () => (await crop('frontal')).webp().toBuffer()],
    ['a truncated JPEG', async () => (await testPhoto(1)).subarray(0, 60_000)],
    [
      'a JPEG header with noise behind it',
      async () => new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4, 5]),
    ],
    [
      'a picture of too many pixels',
      async () =>
        sharp({ create: { width: 9000, height: 9000, channels: 3, background: 'red' } })
          .jpeg()
          .toBuffer(),
    ],
    [
      'a sliver',
      async () =>
        sharp({ create: { width: 3000, height: 4, channels: 3, background: 'red' } })
          .jpeg()
          .toBuffer(),
    ],
  ])('refuses %s as unreadable', async (_name, bytes) => {
    await expect(pipeline.analyse(await bytes())).rejects.toMatchObject({ code: 'unreadable_frame' });
  });
});

/** The pipeline takes one frame at a time. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
