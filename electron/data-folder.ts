/** The installation’s data folder, the same one that the server uses by default. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

type Surroundings = { env: NodeJS.ProcessEnv; platform: NodeJS.Platform; home: string };

export function dataFolderOf({ env, platform, home }: Surroundings): string {
  return followed(path.resolve(env['GATEHOUSE_DATA_DIR'] || usualFolder(env, platform, home)));
}

function usualFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string): string {
  if (platform === 'win32') {
    return path.join(fullPath(env['APPDATA']) ?? path.join(home, 'AppData', 'Roaming'), 'Gatehouse');
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Gatehouse');
  return path.join(fullPath(env['XDG_DATA_HOME']) ?? path.join(home, '.local', 'share'), 'gatehouse');
}

/** An empty variable, or one without a full path, counts as not set: the data would get into the working folder. */
const fullPath = (text: string | undefined): string | null =>
  text !== undefined && path.isAbsolute(text) ? text : null;

/** `gatehouse data move` leaves a note in the old folder. The server says in words that it cannot be read. */
function followed(folder: string): string {
  const note = path.join(folder, 'moved.json');
  if (!existsSync(note) || existsSync(path.join(folder, 'gatehouse.db'))) return folder;
  try {
    const to = (JSON.parse(readFileSync(note, 'utf8')) as { to?: unknown } | null)?.to;
    return typeof to === 'string' && path.isAbsolute(to) ? to : folder;
  } catch {
    return folder;
  }
}
