import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadNpmOptions } from './npm-options.ts';

describe("npm's settings", () => {
  let home: string | undefined;

  afterEach(async () => {
    if (home !== undefined) await rm(home, { recursive: true, force: true });
  });

  it('come from the environment', async () => {
    const options = await loadNpmOptions({
      npm_config_registry: 'http://registry.example.org/',
      npm_config_https_proxy: 'http://proxy.example.org:3128/',
    });
    expect(options).toMatchObject({
      registry: 'http://registry.example.org/',
      httpsProxy: 'http://proxy.example.org:3128/',
    });
  });

  it("come from the user's npmrc, credentials included", async () => {
    home = await mkdtemp(join(tmpdir(), 'gatehouse-npmrc-'));
    const userconfig = join(home, 'npmrc');
    await writeFile(
      userconfig,
      'registry=http://r.example.org/\n//r.example.org/:_authToken=t0\ncafile=/ca.pem\n',
    );
    const options = await loadNpmOptions({ npm_config_userconfig: userconfig, HOME: home });
    expect(options).toMatchObject({ registry: 'http://r.example.org/', '//r.example.org/:_authToken': 't0' });
  });
});
