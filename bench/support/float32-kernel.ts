/** The baseline of the exact index: a scan of float32 rows with SIMD, four sums in parallel. */
import {
  type Code,
  doWhile,
  f32,
  f32x4,
  get,
  i32,
  moduleOf,
  set,
  v128,
  when,
} from '../../server/face/index/wasm-assembler.ts';

const SUMS = 4;
const BYTES_PER_SUM = 16;
const STEP_BYTES = SUMS * BYTES_PER_SUM;

const ROW = 0;
const COUNT = 1;
const BYTES = 2;
const PROBE = 3;
const FLOOR = 4;
const OUT = 5;
const FIRST_OUT = 6;
const NUMBER = 7;
const REST = 8;
const AT = 9;
const sum = (n: number): number => 10 + n;

const each = (body: (n: number) => Code): Code => Array.from({ length: SUMS }, (_, n) => body(n)).flat();
const advance = (local: number, by: number): Code => set(local, i32.add(get(local), i32.const(by)));
const total = f32x4.add(f32x4.add(get(sum(0)), get(sum(1))), f32x4.add(get(sum(2)), get(sum(3))));

const MODULE = moduleOf('scan', {
  parameters: ['i32', 'i32', 'i32', 'i32', 'f32', 'i32'],
  locals: ['i32', 'i32', 'i32', 'i32', ...Array.from({ length: SUMS }, () => 'v128' as const)],
  body: [
    ...set(FIRST_OUT, get(OUT)),
    ...doWhile(
      [
        ...each((n) => set(sum(n), v128.zero)),
        ...set(AT, get(PROBE)),
        ...set(REST, get(BYTES)),
        ...doWhile(
          [
            ...each((n) =>
              set(
                sum(n),
                f32x4.add(
                  get(sum(n)),
                  f32x4.mul(v128.load(get(ROW), n * BYTES_PER_SUM), v128.load(get(AT), n * BYTES_PER_SUM)),
                ),
              ),
            ),
            ...advance(ROW, STEP_BYTES),
            ...advance(AT, STEP_BYTES),
            ...set(REST, i32.sub(get(REST), i32.const(STEP_BYTES))),
          ],
          get(REST),
        ),
        ...set(sum(0), total),
        ...when(
          f32.atLeast(
            f32.add(
              f32.add(f32x4.lane(get(sum(0)), 0), f32x4.lane(get(sum(0)), 1)),
              f32.add(f32x4.lane(get(sum(0)), 2), f32x4.lane(get(sum(0)), 3)),
            ),
            get(FLOOR),
          ),
          [...i32.store(get(OUT), get(NUMBER)), ...advance(OUT, 4)],
        ),
        ...advance(NUMBER, 1),
        ...set(COUNT, i32.sub(get(COUNT), i32.const(1))),
      ],
      get(COUNT),
    ),
    ...i32.shrU(i32.sub(get(OUT), get(FIRST_OUT)), i32.const(2)),
  ],
});

/**
 * Writes the indices of those of the `count` rows at `row` whose product with the probe is at least `floor` to `out`;
 * returns how many. `bytes` of a row is a multiple of 64.
 */
type ScanFloat32 = (
  row: number,
  count: number,
  bytes: number,
  probe: number,
  floor: number,
  out: number,
) => number;

export function float32Kernel(memory: WebAssembly.Memory): ScanFloat32 {
  return new WebAssembly.Instance(MODULE, { env: { memory } }).exports['scan'] as ScanFloat32;
}
