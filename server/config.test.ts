import { describe, expect, it } from 'vitest';
import { ConfigError } from './data/errors.ts';
import { serverConfig } from './config.ts';
import { ATTACK_THRESHOLDS } from './domain/capture/attack/weights.ts';

const OPTIONS = { dataDir: '/nowhere' };

describe('thresholds of the attack score', () => {
  it('are the fitted ones, unless the installation sets its own', () => {
    expect(serverConfig(OPTIONS, {}).attackThresholds).toEqual(ATTACK_THRESHOLDS);
    const env = { GATEHOUSE_ATTACK_STANDARD: '0.9', GATEHOUSE_ATTACK_STRICT: '.4' };
    expect(serverConfig(OPTIONS, env).attackThresholds).toEqual({ standard: 0.9, strict: 0.4 });
  });

  it.each(['0', '0.0', '1.2', '-0.5', 'high', '5e-1'])('refuse %s, with a message', (text) => {
    const call = () => serverConfig(OPTIONS, { GATEHOUSE_ATTACK_STRICT: text });
    expect(call).toThrow(ConfigError);
    expect(call).toThrow(/GATEHOUSE_ATTACK_STRICT/);
  });
});

describe('the address of PostgreSQL', () => {
  const KEY = { GATEHOUSE_DATABASE_KEY_FILE: '/run/gatehouse.keys' };
  const urlOf = (text: string) => serverConfig(OPTIONS, { ...KEY, GATEHOUSE_DATABASE_URL: text }).databaseUrl;

  it('is refused without a key file, with the command that creates one', () => {
    const call = () => serverConfig(OPTIONS, { GATEHOUSE_DATABASE_URL: 'postgres:///gatehouse' });
    expect(call).toThrow(/GATEHOUSE_DATABASE_KEY_FILE.*openssl rand/s);
  });

  it('takes its keys from a file or a command, not from both', () => {
    const command = { GATEHOUSE_DATABASE_KEY_COMMAND: 'vault read gatehouse' };
    expect(serverConfig(OPTIONS, command).databaseKeys).toEqual({ command: 'vault read gatehouse' });
    expect(() => serverConfig(OPTIONS, { ...KEY, ...command })).toThrow('not both');
  });

  it.each([
    ['', null],
    ['postgres://gatehouse:secret@127.0.0.1/gatehouse', undefined],
    ['postgres://gatehouse@[::1]:5433/gatehouse', undefined],
    ['postgresql:///gatehouse?host=/run/postgresql&user=gatehouse', undefined],
    ['postgres://gatehouse:secret@db.example.org/gatehouse?sslmode=verify-full', undefined],
    ['postgres://gatehouse:secret@one:5432,two:5432/gatehouse?sslmode=verify-full', undefined],
  ])('accepts %s', (text, url) => {
    expect(urlOf(text)).toBe(url === undefined ? text : url);
  });

  it.each([
    'mysql://127.0.0.1/gatehouse',
    'somewhere',
    'postgres://gatehouse:secret@one:5432,two:port/gatehouse?sslmode=verify-full',
    'postgres://gatehouse:secret@127.0.0.1,db.example.org/gatehouse',
    'postgres://gatehouse:secret@db.example.org/gatehouse',
    'postgres://gatehouse:secret@db.example.org/gatehouse?sslmode=require',
    'postgres://gatehouse:secret@localhost.example.org/gatehouse',
    'postgres://gatehouse:secret@127.0.0.1/gatehouse?host=db.example.org',
    'postgres://gatehouse:secret@127.0.0.1/gatehouse?host=127.0.0.1&host=db.example.org',
    'postgres://gatehouse:secret@db.example.org/gatehouse?sslmode=verify-full&sslmode=disable',
  ])('refuses %s without repeating the password', (text) => {
    expect(() => urlOf(text)).toThrow(ConfigError);
    expect(() => urlOf(text)).not.toThrow(/secret/);
  });

  it('without a host uses PGHOST, under the same rules', () => {
    const env = { ...KEY, GATEHOUSE_DATABASE_URL: 'postgres:///gatehouse', PGHOST: 'db.example.org' };
    expect(() => serverConfig(OPTIONS, env)).toThrow(/sslmode=verify-full/);
  });
});

describe('where the audit log is sent', () => {
  it.each([
    ['GATEHOUSE_AUDIT_URL', 'https://:secret@siem.example.org/ingest'],
    ['GATEHOUSE_AUDIT_URL', 'https://gate:secret@siem.example.org/ingest'],
    ['GATEHOUSE_AUDIT_URL', 'http://siem.example.org/ingest?key=secret'],
    ['GATEHOUSE_AUDIT_SYSLOG', 'udp://logs.example.org:514?secret'],
    ['GATEHOUSE_AUDIT_TOKEN', 'secret\ntoken'],
  ])('refuses %s=%j without repeating a secret', (name, text) => {
    expect(() => serverConfig(OPTIONS, { [name]: text })).toThrow(ConfigError);
    expect(() => serverConfig(OPTIONS, { [name]: text })).not.toThrow(/secret/);
  });
});
