import { expect, test } from 'vitest';
import { writeFront } from './flatbuffer-front.ts';
import { FlatbufferReader } from './flatbuffer-reader.ts';

test('a new root contains scalars, text and vectors', () => {
  const file = writeFront(
    {
      table: [
        { slot: 0, i32: -7 },
        { slot: 2, ref: { str: 'face' } },
        { slot: 3, ref: { i32: [1, 2, 3] } },
        { slot: 4, ref: { f32: [127.5] } },
      ],
    },
    'TST1',
  );
  const reader = new FlatbufferReader(file);
  expect(new TextDecoder().decode(file.subarray(4, 8))).toBe('TST1');
  expect(reader.u32(reader.field(reader.root, 0)) | 0).toBe(-7);
  expect(reader.field(reader.root, 1)).toBe(0);
  expect(reader.field(reader.root, 9)).toBe(0);
  expect(reader.text(reader.target(reader.root, 2))).toBe('face');
  expect(reader.int32s(reader.root, 3)).toEqual([1, 2, 3]);
  expect(reader.float32s(reader.root, 4)).toEqual([127.5]);
});

test('a new root shares the tables of the old file, whose bytes do not change', () => {
  const old = writeFront(
    { table: [{ slot: 0, ref: { refs: [{ table: [{ slot: 0, ref: { str: 'kept' } }] }] } }] },
    'OLD1',
  );
  const [oldChild] = new FlatbufferReader(old).targets(new FlatbufferReader(old).root, 0);
  const file = writeFront(
    { table: [{ slot: 1, ref: { refs: [{ old: oldChild! }, { old: oldChild! }] } }] },
    'NEW1',
    old,
  );
  const reader = new FlatbufferReader(file);
  const children = reader.targets(reader.root, 1);
  expect(children).toHaveLength(2);
  for (const child of children) expect(reader.text(reader.target(child, 0))).toBe('kept');
  expect(file.subarray(file.length - old.length)).toEqual(old);
  expect((file.length - old.length) % 16).toBe(0);
});

test('byte vectors start at a multiple of 16 in the file', () => {
  const file = writeFront(
    {
      table: [
        { slot: 0, ref: { str: 'odd' } },
        { slot: 1, ref: { bytes: Uint8Array.of(9, 8, 7) } },
      ],
    },
    'TST1',
  );
  const reader = new FlatbufferReader(file);
  const vector = reader.target(reader.root, 1);
  expect((vector + 4) % 16).toBe(0);
  expect(file.subarray(vector + 4, vector + 7)).toEqual(Uint8Array.of(9, 8, 7));
});
