/** Decisions §3.5: which verification a run uses. */
import { beforeEach, describe, expect, it } from 'vitest';
import { verification } from '../../../testing/store/rows.ts';
import {
  openTestService,
  refusalOf,
  type TestService,
  type V3KeyType,
} from '../../../testing/service/temp-service.ts';
import { createCompany } from './companies.ts';
import { longestStartPath, resolveVerification } from './resolve-verification.ts';

const BY_ID = '019b0000-0000-7000-8000-00000000000a';
const HOME = '019b0000-0000-7000-8000-00000000000b';
const SHOP = '019b0000-0000-7000-8000-00000000000c';
const CART = '019b0000-0000-7000-8000-00000000000d';
const SHOP_ONLY = '019b0000-0000-7000-8000-00000000000e';

let service: TestService;

beforeEach(async () => {
  service = await openTestService();
  await service.verification(BY_ID, { externalId: 'flow' });
  await service.verification(HOME, { origin: 'https://example.com' });
  await service.verification(SHOP, { origin: 'https://example.com', startPath: '/shop' });
  await service.verification(CART, { origin: 'https://example.com', startPath: '/shop/cart' });
  await service.verification(SHOP_ONLY, { origin: 'https://shop.example', startPath: '/shop' });
});

type Named = Parameters<typeof resolveVerification>[2];
const resolve = async (body: Named, key: V3KeyType = 'sk_live') =>
  (await resolveVerification(service.deps.db, await service.caller(key), body)).id;

describe('precedence', () => {
  const everything = {
    verification_id: SHOP,
    verification_external_id: 'flow',
    origin: 'example.com',
    start_path: '/shop/cart',
  };

  it('first verification_id, in any case', async () => {
    expect(await resolve(everything)).toBe(SHOP);
    expect(await resolve({ verification_id: SHOP.toUpperCase() })).toBe(SHOP);
  });

  it('then verification_external_id', async () => {
    expect(await resolve({ ...everything, verification_id: undefined })).toBe(BY_ID);
  });

  it('then origin and start_path', async () => {
    expect(await resolve({ origin: 'example.com', start_path: '/shop/cart' })).toBe(CART);
  });

  it("then the company's default", async () => {
    expect(await resolve({})).toBe(service.company.default_verification_id);
    expect(await resolve({ origin: 'unknown.example' })).toBe(service.company.default_verification_id);
  });
});

describe('an unknown name is no_matching_verification', () => {
  it.each<Named>([
    { verification_id: '019b0000-0000-7000-8000-ffffffffffff' },
    { verification_external_id: 'x' },
  ])('%o, although there is a default', async (body) => {
    expect(await refusalOf(resolve(body))).toBe('no_matching_verification');
  });

  it("another company's verification", async () => {
    const other = await createCompany(service.deps.db, service.clock, { name: 'Other', actor: 'cli' });
    expect(await refusalOf(resolve({ verification_id: other.default_verification_id }))).toBe(
      'no_matching_verification',
    );
  });
});

describe('origin, compared normalised', () => {
  it.each(['example.com', 'EXAMPLE.com', 'https://example.com', 'https://example.com:443/'])(
    '%j',
    async (origin) => {
      expect(await resolve({ origin })).toBe(HOME);
    },
  );

  it.each(['http://localhost', 'example.com:8443', 'www.example.com', 'xample.com'])(
    'another origin does not match: %s',
    async (origin) => {
      expect(await resolve({ origin })).toBe(service.company.default_verification_id);
    },
  );
});

describe('the longest matching start path', () => {
  it.each([
    [undefined, HOME],
    ['/', HOME],
    ['/shopping', HOME],
    ['/shop', SHOP],
    ['/shop/', SHOP],
    ['shop', SHOP],
    ['/shop?x=1', SHOP],
    ['/shop/hats', SHOP],
    ['/shop/cartoons', SHOP],
    ['/shop/cart', CART],
    ['/shop/cart/2#top', CART],
  ])('%s', async (startPath, id) => {
    expect(await resolve({ origin: 'example.com', start_path: startPath })).toBe(id);
  });

  it('without a matching one, the default', async () => {
    expect(await resolve({ origin: 'shop.example', start_path: '/other' })).toBe(
      service.company.default_verification_id,
    );
  });

  it('among equal ones, the oldest', () => {
    const [a, b] = [verification('c', 'a', { startPath: '/x' }), verification('c', 'b', { startPath: '/x' })];
    expect(longestStartPath([a, b], '/x')?.id).toBe('a');
  });
});

describe('a live publishable key may only name an origin that the company has saved', () => {
  it('so that a browser key cannot send tokens to a foreign site', async () => {
    expect(await refusalOf(resolve({ origin: 'evil.example' }, 'pk_live'))).toBe('no_matching_verification');
    expect(await resolve({ origin: 'example.com' }, 'pk_live')).toBe(HOME);
    expect(await resolve({}, 'pk_live')).toBe(service.company.default_verification_id);
  });

  it.each(['pk_test', 'sk_test', 'sk_live'] as const)('other keys may name any: %s', async (key) => {
    expect(await resolve({ origin: 'new.example' }, key)).toBe(service.company.default_verification_id);
  });

  it("another company's origin is foreign", async () => {
    const other = await createCompany(service.deps.db, service.clock, { name: 'Other', actor: 'cli' });
    await service.deps.db.tx((tx) =>
      tx.run(
        "UPDATE verifications SET origin = 'https://theirs.example' WHERE company_id = ?",
        other.company_id,
      ),
    );
    expect(await refusalOf(resolve({ origin: 'theirs.example' }, 'pk_live'))).toBe(
      'no_matching_verification',
    );
  });
});
