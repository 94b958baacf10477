import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../server/data/errors.ts';
import { startOptions } from './start-options.ts';

describe('the options of npm start', () => {
  it('become settings of the server', () => {
    const { config, serverEnv, browserOnly } = startOptions(
      ['--port', '5000', '--host=0.0.0.0', '--data-dir', '/data/venue', '--browser'],
      {},
    );
    expect(config).toMatchObject({ port: 5000, consolePort: 5001, host: '0.0.0.0', dataDir: '/data/venue' });
    expect(serverEnv).toEqual({
      GATEHOUSE_PORT: '5000',
      GATEHOUSE_HOST: '0.0.0.0',
      GATEHOUSE_DATA_DIR: '/data/venue',
    });
    expect(browserOnly).toBe(true);
  });

  it('leave options that are not given to the environment', () => {
    const { config, serverEnv } = startOptions([], { GATEHOUSE_PORT: '6000', GATEHOUSE_DATA_DIR: '/data' });
    expect(config.port).toBe(6000);
    expect(serverEnv).toEqual({ GATEHOUSE_DATA_DIR: '/data' });
  });

  it.each([
    [['--port', 'many'], /--port must be a whole number, not "many"/],
    [['--port', '70000'], /--port must be a port from 0 to 65535/],
    [['--port'], /--port/],
    [['--host', ''], /--host needs a value/],
    [['--data-dir='], /--data-dir needs a value/],
    [['--prot', '1'], /unknown option '--prot'\. Run "npm start -- --help"/],
    [['serve'], /too many arguments/],
  ])('%j are refused in a sentence', (args, sentence) => {
    const attempt = () => startOptions(args, {});
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(sentence);
  });
});
