import { expect, test } from 'vitest';
import { LAN_OFF } from '../services/network/service.ts';
import { createAddresses } from './addresses.ts';

const CONFIG = { publicUrl: null, host: '0.0.0.0', consoleHost: '::1' };

test('an address is known from the moment its listener listens, and gives way to network mode', async () => {
  const addresses = createAddresses(CONFIG);
  expect([addresses.listed(), addresses.baseUrl(), addresses.trustPage()]).toEqual([[], '', null]);
  addresses.listens('service', 'http://127.0.0.1:4180');
  expect([addresses.baseUrl(), addresses.listed()]).toEqual(['http://127.0.0.1:4180', ['0.0.0.0:4180']]);
  addresses.listens('console', 'http://[::1]:4181');
  const origin = 'https://192.168.0.7:4443';
  const state = {
    ...LAN_OFF,
    isOn: true,
    origin,
    origins: [origin],
    trustUrl: 'http://x:4444/trust',
    fingerprint: 'AB',
  };
  expect(addresses.lan.state()).toEqual(LAN_OFF);
  addresses.joins({ state: () => state, apply: async () => state, close: async () => undefined });
  expect(addresses.baseUrl()).toBe(origin);
  expect(addresses.connectUrl()).toBe('http://127.0.0.1:4180');
  expect(addresses.listed()).toEqual(['0.0.0.0:4180', '[::1]:4181', origin, 'http://x:4444']);
  expect(addresses.trustPage()).toEqual({ url: 'http://x:4444/trust', fingerprint: 'AB' });
});

test('a public address goes before all others', () => {
  const addresses = createAddresses({ ...CONFIG, publicUrl: 'https://gate.example' });
  addresses.listens('service', 'http://127.0.0.1:4180');
  expect([addresses.baseUrl(), addresses.connectUrl()]).toEqual([
    'https://gate.example',
    'https://gate.example',
  ]);
});

test('who asked is told that network mode has moved the server', () => {
  const addresses = createAddresses({ ...CONFIG, publicUrl: 'https://gate.example' });
  addresses.moved();
  const told: string[] = [];
  addresses.onMoved((url) => told.push(url));
  addresses.moved();
  expect(told).toEqual(['https://gate.example']);
});
