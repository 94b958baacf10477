import { describe, expect, it } from 'vitest';
import { createFrameQueue } from './frame-queue.ts';

describe('frame queue', () => {
  it('alternates between captures', () => {
    const queue = createFrameQueue<string, string>();
    queue.push('a', ['a1', 'a2', 'a3']);
    queue.push('b', ['b1']);
    queue.push('c', ['c1', 'c2']);
    const taken = Array.from({ length: 7 }, () => queue.next());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('removes one capture and counts the rest', () => {
    const queue = createFrameQueue<string, string>();
    queue.push('a', ['a1', 'a2']);
    queue.push('b', ['b1']);
    queue.remove('a');
    queue.remove('nobody');
    expect(queue.size).toBe(1);
    expect(queue.owners()).toEqual(['b']);
    expect(queue.next()).toBe('b1');
  });
});
