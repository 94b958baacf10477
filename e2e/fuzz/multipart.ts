/** Multipart bodies by hand: whole ones, and such as no browser would send. */
import fc from 'fast-check';

/** Stands for the challenge's nonce until the request is made. */
export const NONCE = '{nonce}';

/** Header lines without their ends, and what follows the empty line. */
export type Part = { headers: readonly string[]; content: Buffer };

/** An upload as it is generated; `cutAt` and `spliceAt` are shares of its length. */
export type Upload = {
  contentType: string;
  boundary: string;
  parts: readonly Part[];
  /** What stands after the last part; a whole body ends in `--boundary--`. */
  ending: string;
  cutAt: number | null;
  splice: { at: number; bytes: Uint8Array } | null;
};

export const fieldPart = (name: string, text: string): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  content: Buffer.from(text),
});

export const framePart = (jpeg: Uint8Array): Part => ({
  headers: [
    'Content-Disposition: form-data; name="frames"; filename="frame.jpg"',
    'Content-Type: image/jpeg',
  ],
  content: Buffer.from(jpeg),
});

export const timelinePart = (count: number): Part => {
  const frames = Array.from({ length: count }, (_, index) => ({ step: null, at_ms: index * 100 }));
  return fieldPart('timeline', JSON.stringify({ frames }));
};

/** As the page sends it. */
export function wholeUpload(frames: readonly Uint8Array[]): Upload {
  const boundary = 'gatehouse-frames';
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    boundary,
    parts: [fieldPart('nonce', NONCE), timelinePart(frames.length), ...frames.map(framePart)],
    ending: `--${boundary}--\r\n`,
    cutAt: null,
    splice: null,
  };
}

/** The bytes of an upload. @param nonce takes the place of `NONCE` */
export function bytesOf({ boundary, parts, ending, cutAt, splice }: Upload, nonce: string): Buffer {
  const written = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
    content.equals(Buffer.from(NONCE)) ? Buffer.from(nonce) : content,
    Buffer.from('\r\n'),
  ]);
  const whole = Buffer.concat([...written, Buffer.from(ending)]);
  const spliced = splice
    ? Buffer.concat([
        whole.subarray(0, splice.at * whole.length),
        splice.bytes,
        whole.subarray(splice.at * whole.length),
      ])
    : whole;
  return cutAt === null ? spliced : spliced.subarray(0, cutAt * spliced.length);
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

const oddHeaders = fc.constantFrom<readonly string[]>(
  [],
  ['Content-Disposition: form-data'],
  ['Content-Disposition: form-data; name="__proto__"'],
  ['Content-Disposition: form-data; name="constructor"; filename="../../../etc/passwd"'],
  ['Content-Disposition: attachment; name="frames"; filename="a.jpg"'],
  ['Content-Disposition: form-data; name="frames"; filename="a.jpg', 'Content-Type: image/jpeg'],
  ['Content-Disposition: form-data; name="frames"; filename*=UTF-8\'\'%ff%fe', 'Content-Type: text/html'],
  ['Content-Disposition: form-data; name="nonce"', 'Content-Transfer-Encoding: base64'],
  ['Content-Disposition: form-data; name="timeline"', 'Content-Type: application/json'],
  ['no header at all'],
  [`X-Long: ${'x'.repeat(20_000)}`],
  Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1`),
);

const oddTimelines = fc
  .constantFrom(
    '',
    '{',
    'null',
    '[]',
    '{"frames":[]}',
    '{"frames":[{"step":-1,"at_ms":1e999}]}',
    '{"frames":[{"step":null,"at_ms":"0"}]}',
    '['.repeat(10_000),
    `{"frames":${JSON.stringify(Array(33).fill({ step: null, at_ms: 0 }))}}`,
    '{"__proto__":{"frames":[]},"frames":[{"step":null,"at_ms":0}]}',
  )
  .map((text) => fieldPart('timeline', text));

const somePart: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(fieldPart('nonce', NONCE)) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map(timelinePart) },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 300 }).map(framePart) },
  { weight: 2, arbitrary: oddTimelines },
  {
    weight: 2,
    arbitrary: fc.record({
      headers: oddHeaders,
      content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    }),
  },
  { weight: 1, arbitrary: fc.constant(fieldPart('timeline', 'x'.repeat(100_000))) },
);

/** What the header says of the boundary, which may be another than the body's. */
const announced = (boundary: string) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`multipart/form-data; boundary=${boundary}`) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary=other',
        `multipart/form-data; boundary="${boundary}"`,
        `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
        `multipart/mixed; boundary=${boundary}`,
        `Multipart/Form-Data; charset=x; boundary=${boundary}; boundary=twice`,
        'application/json',
        'application/octet-stream',
        'image/jpeg',
        'text/plain',
        '',
      ),
    },
  );

const boundaries = fc.constantFrom('gatehouse', 'b', '-'.repeat(70), "a'()+_,-./:=?", 'x'.repeat(200));

/** Uploads that are broken anywhere, and some that happen to be whole. */
export const brokenUpload: fc.Arbitrary<Upload> = boundaries.chain((boundary) =>
  fc.record({
    contentType: announced(boundary),
    boundary: fc.constant(boundary),
    parts: fc.array(somePart, { maxLength: 6 }),
    ending: fc.oneof(
      { weight: 6, arbitrary: fc.constant(`--${boundary}--\r\n`) },
      { weight: 2, arbitrary: fc.constantFrom('', '--', `--${boundary}`, `--${boundary}\r\n`) },
    ),
    cutAt: fc.option(share, { freq: 3 }),
    splice: fc.option(fc.record({ at: share, bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }), {
      freq: 3,
    }),
  }),
);
