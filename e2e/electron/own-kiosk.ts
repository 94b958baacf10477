/** A kiosk of the venue that the desktop app serves itself. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { NewCompany } from '../../server/services/companies/companies.ts';
import { type KioskOptions, newKiosk, type VenueKiosk } from '../support/pages/kiosk.ts';
import { CLI } from '../support/service/command-line.ts';
import type { Gatehouse } from '../support/service/server.ts';
import type { Desktop, Running } from './desktop.ts';

export async function newKioskOf(
  { dataDir }: Desktop,
  running: Running,
  options: KioskOptions = {},
): Promise<VenueKiosk & { code: string }> {
  const cli = async <T = unknown>(args: readonly string[]): Promise<T> => {
    const words = [CLI, ...args, '--data-dir', dataDir, '--json'];
    return JSON.parse((await promisify(execFile)(process.execPath, words)).stdout) as T;
  };
  const { consoleUrl } = await running.addresses();
  const company = await cli<NewCompany>(['company', 'create', '--name', 'Test venue']);
  return newKiosk({ consoleUrl, cli, company } as Gatehouse, options);
}
