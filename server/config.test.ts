import { describe, expect, it } from 'vitest';
import { ConfigError, serverConfig } from './config.ts';
import { ATTACK_THRESHOLDS } from './domain/capture/attack/weights.ts';

const OPTIONS = { dataDir: '/nowhere' };

describe('thresholds of the attack score', () => {
  it('are those that were fitted, unless the installation sets its own', () => {
    expect(serverConfig(OPTIONS, {}).attackThresholds).toEqual(ATTACK_THRESHOLDS);
    const env = { GATEHOUSE_ATTACK_STANDARD: '0.9', GATEHOUSE_ATTACK_STRICT: '.4' };
    expect(serverConfig(OPTIONS, env).attackThresholds).toEqual({ standard: 0.9, strict: 0.4 });
  });

  it.each(['0', '0.0', '1.2', '-0.5', 'high', '5e-1'])('refuse %s, in words', (text) => {
    const call = () => serverConfig(OPTIONS, { GATEHOUSE_ATTACK_STRICT: text });
    expect(call).toThrow(ConfigError);
    expect(call).toThrow(/GATEHOUSE_ATTACK_STRICT/);
  });
});
