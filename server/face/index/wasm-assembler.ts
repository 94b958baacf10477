/**
 * A minimal assembler for the scan kernels: writes WebAssembly's binary format by name, so that the repository
 * contains their source and no binary. Numbers are from the WebAssembly core specification 2.0, "Binary Format"
 * (https://webassembly.github.io/spec/core/binary/).
 */

/** Bytes of one or several instructions. */
export type Code = readonly number[];

const VALUE = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
type ValueType = keyof typeof VALUE;

/** Unsigned LEB128, for counts, indices and offsets. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128, for `i32.const`. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];
/** Loads state no alignment: it is only a hint, and rows need not start at a multiple of 16. */
const UNALIGNED = 0;
const memory = (offset: number): number[] => [UNALIGNED, ...unsigned(offset)];

/** A local variable or parameter. */
export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, ...value: Code[]): Code => [...value.flat(), 0x21, ...unsigned(local)];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  sub: (a: Code, b: Code): Code => [...a, ...b, 0x6b],
  shrU: (a: Code, b: Code): Code => [...a, ...b, 0x76],
  store: (at: Code, value: Code): Code => [...at, ...value, 0x36, ...memory(0)],
};

export const f32 = {
  load: (at: Code, offset = 0): Code => [...at, 0x2a, ...memory(offset)],
  fromI32: (value: Code): Code => [...value, 0xb2],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x92],
  mul: (a: Code, b: Code): Code => [...a, ...b, 0x94],
  atLeast: (a: Code, b: Code): Code => [...a, ...b, 0x60],
};

export const v128 = {
  zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)] as Code,
  load: (at: Code, offset = 0): Code => [...at, ...simd(0x00), ...memory(offset)],
  /** Eight signed bytes, widened to eight 16-bit lanes. */
  load8x8s: (at: Code, offset = 0): Code => [...at, ...simd(0x01), ...memory(offset)],
};

export const i32x4 = {
  lane: (value: Code, lane: number): Code => [...value, ...simd(0x1b), lane],
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xae)],
  /** Products of eight pairs of 16-bit lanes, adjacent ones added. */
  dotI16x8: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xba)],
};

export const f32x4 = {
  lane: (value: Code, lane: number): Code => [...value, ...simd(0x1f), lane],
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe4)],
  mul: (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe6)],
};

/** Repeats `body` while `condition`, evaluated after it, is not zero. */
export const doWhile = (body: Code, condition: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...condition,
  0x0d,
  0,
  0x0b,
];
export const when = (condition: Code, body: Code): Code => [...condition, 0x04, 0x40, ...body, 0x0b];

const vector = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];
const text = (value: string): number[] => vector([...Buffer.from(value)].map((byte) => [byte]));

/** Pages (64 KiB) of the largest memory that 32-bit addresses can reach. */
export const MAX_PAGES = 65_536;

/**
 * A module of one function, exported as `name`, with the given `parameters` and `locals`, which returns an i32. Its
 * memory is imported as `env.memory`.
 */
export function moduleOf(
  name: string,
  { parameters, locals, body }: { parameters: ValueType[]; locals: ValueType[]; body: Code },
): WebAssembly.Module {
  const type = [0x60, ...vector(parameters.map((type) => [VALUE[type]])), ...vector([[VALUE.i32]])];
  const memoryImport = [
    ...text('env'),
    ...text('memory'),
    0x02,
    0x01,
    ...unsigned(1),
    ...unsigned(MAX_PAGES),
  ];
  const code = [...vector(locals.map((type) => [1, VALUE[type]])), ...body, 0x0b];
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, vector([type])),
      ...section(2, vector([memoryImport])),
      ...section(3, vector([[0]])),
      ...section(7, vector([[...text(name), 0x00, 0]])),
      ...section(10, vector([[...unsigned(code.length), ...code]])),
    ]),
  );
}
