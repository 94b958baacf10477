/** An integer beyond 64 bits is refused by PostgreSQL: every one that a caller sends has a bound in its schema. */
import { expect, it } from 'vitest';
import { flow } from '../contract/routes/flow.ts';
import { kiosk } from '../contract/routes/kiosk.ts';
import { my } from '../contract/routes/my.ts';
import { VerificationListQuery } from '../contract/v3.ts';

const files = import.meta.glob<Record<string, Record<string, object>>>('../contract/routes/console/*.ts', {
  eager: true,
});

type Node = { [keyword: string]: unknown };

/** The service clamps it, because the contract sets no maximum. */
const CLAMPED = VerificationListQuery.properties.offset;

function unbounded(schema: unknown, way: string): string[] {
  if (typeof schema !== 'object' || schema === null || schema === CLAMPED) return [];
  const node = schema as Node;
  const own = node['type'] === 'integer' && node['maximum'] === undefined ? [way] : [];
  return [...own, ...Object.entries(node).flatMap(([name, inner]) => unbounded(inner, `${way}.${name}`))];
}

it('every integer of a request has a maximum', () => {
  const operations = [...Object.values(files), { flow, kiosk, my }].flatMap((file) =>
    Object.values(file).flatMap((group) => Object.entries(group)),
  );
  expect(operations.length).toBeGreaterThan(100);
  const found = operations.flatMap(([name, route]) => {
    const { body, query, params } = route as Node;
    return unbounded({ body, query, params }, name);
  });
  expect(found).toEqual([]);
});
