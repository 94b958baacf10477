/** Contract, initialize rule 3: absolute and https; plain http for localhost or a private address. */
import { describe, expect, it } from 'vitest';
import { isLocalOrPrivateHost, parseOrigin, parseReturnAddress } from './address.ts';

describe('rule 3: a return address', () => {
  it.each([
    'https://example.com',
    'https://example.com/a?b=c#d',
    'HTTPS://EXAMPLE.COM/',
    'https://10.0.0.1:8443/x',
  ])('accepts https: %s', (address) => {
    expect(parseReturnAddress(address)?.protocol).toBe('https:');
  });

  it.each([
    'http://localhost',
    'http://localhost:3000/done?x=1',
    'http://LOCALHOST./',
    'http://app.localhost:5173/',
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.20:8080/back',
    'http://169.254.10.10/',
    'http://[::1]/',
    'http://[::1]:3000/x',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://[::ffff:192.168.0.1]/',
    'http://[::ffff:7f00:1]/',
  ])('accepts http for localhost or a private address: %s', (address) => {
    expect(parseReturnAddress(address)).not.toBeNull();
  });

  it.each([
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://venue.example@evil.example/',
    'https://:secret@example.com/',
    'https://@example.com/',
    'https://:@example.com/',
    'https://\t/user@example.com/',
    'http://user@localhost:3000/',
    'https://us%40er@example.com',
  ])('refuses user information: %j', (address) => {
    expect(parseReturnAddress(address)).toBeNull();
    expect(parseOrigin(address)).toBeNull();
  });

  it.each([
    'https://venue.example\\@evil.example/',
    'https://venue.example\\.evil.example/',
    'https://venue.example\n.evil.example/',
    'https://venue.example\t@evil.example/',
    'https://venue\r.example',
  ])('refuses a host that others read differently than browsers: %j', (address) => {
    expect(parseReturnAddress(address)).toBeNull();
    expect(parseOrigin(address)).toBeNull();
  });

  it('keeps such characters after the host, where browsers only correct them', () => {
    expect(parseReturnAddress('https://venue.example/a\\b?c\n=d')?.href).toBe(
      'https://venue.example/a/b?c=d',
    );
  });

  it.each(['https://example.com/@user', 'https://example.com/?mail=a@b.example', 'https://example.com/#a@b'])(
    'does not take an @ after the host for user information: %s',
    (address) => {
      expect(parseReturnAddress(address)).not.toBeNull();
    },
  );

  it.each([
    ['a decimal spelling of 127.0.0.1', 'http://2130706433/'],
    ['a hexadecimal spelling of 127.0.0.1', 'http://0x7f000001/'],
    ['a mixed spelling of 127.0.0.1', 'http://0x7f.1/'],
    ['an octal spelling of 192.168.0.1', 'http://0300.0250.0.1/'],
  ])('judges the address as browsers parse it: %s', (_title, address) => {
    expect(parseReturnAddress(address)).not.toBeNull();
  });

  it.each([
    'http://example.com/',
    'http://8.8.8.8/',
    'http://134744072/',
    'http://0x08080808/',
    'http://172.15.0.1/',
    'http://172.32.0.1/',
    'http://192.169.0.1/',
    'http://11.0.0.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[2001:4860:4860::8888]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::ffff:0808:0808]/',
    'http://localhost.example.com/',
    'http://localhost.com/',
    'http://notlocalhost/',
    'http://10.0.0.1.example.com/',
    'http://192.168.0.1.nip.io/',
    'http://127.0.0.1@example.com/',
    'http://localhost:80@example.com/',
    'http://localhost%2F@example.com/',
    'http://example.com\\@localhost/',
    'http://example.com#@localhost/',
    'http://example.com?@localhost/',
  ])('refuses http for a public address in any spelling: %s', (address) => {
    expect(parseReturnAddress(address)).toBeNull();
  });

  it.each([
    '',
    ' ',
    '/done',
    '//example.com/done',
    'example.com',
    'example.com/done',
    'https:',
    'https://',
    'https:///',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https:\\\\example.com',
    ' https://example.com',
    'javascript:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,x',
    'ftp://localhost/',
    'file:///etc/passwd',
    'ws://localhost/',
    'blob:https://example.com/1',
    'myapp://done',
    'https://exa mple.com/',
    'https://[::1',
    'https://example.com:99999/',
  ])('refuses anything but absolute http or https: %j', (address) => {
    expect(parseReturnAddress(address)).toBeNull();
  });
});

describe('a local or private host', () => {
  it('takes hosts as URLs spell them', () => {
    expect(isLocalOrPrivateHost('[::1]')).toBe(true);
    expect(isLocalOrPrivateHost('192.168.0.1')).toBe(true);
    expect(isLocalOrPrivateHost('example.com')).toBe(false);
  });
});

describe('decisions §3.5 and §3.19: an origin is a bare domain (then https) or a full origin, compared normalised', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['Example.COM', 'https://example.com'],
    ['example.com:443', 'https://example.com'],
    ['example.com:8443', 'https://example.com:8443'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://EXAMPLE.com:443/', 'https://example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://192.168.1.5', 'http://192.168.1.5'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['BÜCHER.example', 'https://xn--bcher-kva.example'],
    ['faß.example', 'https://xn--fa-hia.example'],
    ['نامه\u200cای.example', 'https://xn--mgba3gch31f060k.example'],
    ['localhost:5173', 'https://localhost:5173'],
    ['10.0.0.7:8443', 'https://10.0.0.7:8443'],
    ['https://[fd00::1]:8443', 'https://[fd00::1]:8443'],
    ['https://ticketbox', 'https://ticketbox'],
    ['https://my_shop.example', 'https://my_shop.example'],
  ])('%s is %s', (input, origin) => {
    expect(parseOrigin(input)).toBe(origin);
  });

  it.each([
    '',
    'https://',
    'http://example.com',
    'example.com/path',
    'https://example.com/path',
    'https://example.com/?a=b',
    'https://example.com/#x',
    'https://user@example.com',
    'https://user:pass@example.com',
    'example.com@evil.example',
    'javascript://example.com',
    'mailto:someone@example.com',
    'exa mple.com',
    'https://example.com\\evil.example',
    'null',
    'NULL',
    'https://null',
    'http://null',
    'undefined',
    'ticketbox',
    '*',
    '*.t.example',
    'https://*.t.example',
    'https://*',
    'a.example,b.example',
    'a.example, b.example',
    'a.example b.example',
    'https://a.example https://b.example',
    'https://a.example;https://b.example',
    ' example.com',
    'example.com ',
    'example.com\n',
    'exam\u200bple.com',
    'exam\u00adple.com',
    '\u202eexample.com',
    'example.com.',
    'https://example.com./',
    'https://.example.com',
    'https://a..example',
    'https://-a.example',
    `https://${'a'.repeat(64)}.example`,
    `https://${'a.'.repeat(130)}example`,
    'https://example.com/.',
    'https://example.com?',
    'https://example.com#',
    'https://example.com//',
    'https://exam%70le.com',
    'https://example.com:0',
    'https://example.com:65536',
    'https://example.com:-1',
    'https://example.com:http',
    'https://0x7f.1',
    'https://127.1',
    'https://2130706433',
    'https://0.0.0.0',
    'https://[::]',
    'https://1.2.3.4.5',
    'file://',
    'file:///home/x/index.html',
    'file://example.com',
    'about:blank',
    'data:text/html,x',
    'blob:https://example.com',
    'chrome-extension://abcdef',
    'ws://example.com',
    'ftp://example.com',
    '//example.com',
    'https:example.com',
    'https:///example.com',
  ])('%j is not an origin', (input) => {
    expect(parseOrigin(input)).toBeNull();
  });
});
