import { describe, expect, it } from 'vitest';
import { isAllowListHost, isPublicAddress, judgeDestination, normaliseHost } from './destination.ts';

const refusalOf = (url: string, { allowed = [] as string[], mayBeLoopback = false } = {}) => {
  const policy = {
    allowHosts: new Set(allowed),
    ownAddresses: new Set<string>(),
    ownPorts: new Set([443, 4180, 4181]),
  };
  const judged = judgeDestination(url, policy, mayBeLoopback);
  return 'refusal' in judged ? judged.refusal : null;
};

describe('addresses that a webhook may be sent to', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.8.8.8'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified', '::'],
    ['link-local', '169.254.1.1'],
    ['link-local', 'fe80::1'],
    ['link-local with its zone', 'fe80::1%eth0'],
    ['cloud metadata', '169.254.169.254'],
    ['cloud metadata', 'fd00:ec2::254'],
    ['cloud metadata', '168.63.129.16'],
    ['cloud metadata', '100.100.100.200'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['unique local', 'fc00::1'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '2001:db8::1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped', '::ffff:a00:1'],
    ['compatible', '::7f00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001::1'],
    ['translated private', '64:ff9b::a00:1'],
    ['local translation', '64:ff9b:1::808:808'],
    ['not an address', 'example.org'],
  ])('%s: %s is refused', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('the server’s own address is refused, even if public', () => {
    const own = new Set(['8.8.8.8', '2606:4700::1111']);
    expect(isPublicAddress('8.8.8.8', own)).toBe(false);
    expect(isPublicAddress('::ffff:8.8.8.8', own)).toBe(false);
    expect(isPublicAddress('2606:4700:0:0::1111', own)).toBe(false);
    expect(isPublicAddress('8.8.4.4', own)).toBe(true);
  });
});

describe('destinations as they are saved', () => {
  it.each(['https://example.org/hooks', 'https://example.org:8443/a?b=c', 'https://8.8.8.8/'])(
    '%s is accepted',
    (url) => {
      expect(refusalOf(url)).toBeNull();
    },
  );

  it.each([
    ['', 'malformed'],
    ['example.org/hooks', 'malformed'],
    ['https:example.org', 'malformed'],
    ['https:///example.org', 'malformed'],
    ['https://exa mple.org', 'malformed'],
    ['https://example.org/a\nb', 'malformed'],
    [' https://example.org', 'malformed'],
    ['ftp://example.org', 'malformed'],
    [`https://${'a'.repeat(250)}.org`, 'malformed'],
    [`https://${'一'.repeat(60)}.${'丁'.repeat(60)}.${'七'.repeat(60)}.${'万'.repeat(60)}.org`, 'malformed'],
    ['file:///etc/passwd', 'malformed'],
    ['https://user:word@example.org', 'credentials'],
    ['https://example.org/#part', 'fragment'],
    ['http://example.org', 'scheme'],
    ['https://localhost/hooks', 'address'],
    ['https://api.localhost./hooks', 'address'],
    ['https://127.0.0.1/', 'address'],
    ['https://0x7f000001/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['https://169.254.169.254/latest', 'address'],
  ])('%s is refused: %s', (url, refusal) => {
    expect(refusalOf(url)).toBe(refusal);
  });

  it('an allow-listed host may be private and plain http, by its exact name', () => {
    const allowed = ['box.local', '127.0.0.1', '::1'];
    expect(refusalOf('http://box.local:8080/hooks', { allowed })).toBeNull();
    expect(refusalOf('http://BOX.local./hooks', { allowed })).toBeNull();
    expect(refusalOf('http://127.0.0.1:9/', { allowed })).toBeNull();
    expect(refusalOf('http://[0:0::1]:9/', { allowed })).toBeNull();
    expect(refusalOf('http://other.box.local/', { allowed })).toBe('scheme');
  });

  it.each([
    ['http://localhost:3000/hooks', null],
    ['http://127.0.0.1/hooks', null],
    ['http://localhost:4180/v3/initialize', 'address'],
    ['http://127.8.8.8:4181/console/api/setup', 'address'],
    ['http://[::1]:4181/', 'address'],
    ['https://app.localhost/', 'address'],
    ['http://192.168.1.4:3000/', 'scheme'],
  ])('a test call may go to this machine, but not to a port of this server: %s', (url, refusal) => {
    expect(refusalOf(url, { mayBeLoopback: true })).toBe(refusal);
  });

  it('hosts are compared in one form', () => {
    expect(normaliseHost('[0:0:0::1]')).toBe('::1');
    expect(normaliseHost('::FFFF:10.0.0.1')).toBe('10.0.0.1');
    expect(normaliseHost('Example.ORG.')).toBe('example.org');
  });

  it.each(['box.local', '10.0.0.7', '[::1]', '::1', 'venue-box'])('%s may be allow-listed', (host) => {
    expect(isAllowListHost(host)).toBe(true);
  });
  it.each(['', 'http://box.local', 'box.local:80', 'box.local/x', '*.local', 'a b'])(
    '"%s" may not be allow-listed',
    (host) => {
      expect(isAllowListHost(host)).toBe(false);
    },
  );
});
