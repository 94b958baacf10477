/** Where things are, in a checkout and in a package. */
import { existsSync } from 'node:fs';
import path from 'node:path';

export type Places = {
  /** The server's entry. Outside the archive: its workers and native modules are opened as plain files. */
  serverEntry: string;
  /** Settings that only a package needs; a checkout's server finds its files by itself. */
  serverEnv: Record<string, string>;
  /** A Node for an Electron whose own is too old: one that was packed along, or one that a checkout was told of. */
  serverNode: string | undefined;
  icon: string;
  /** The console's only way to the shell. */
  preload: string;
  /** The kiosk page's. */
  kioskPreload: string;
};

export type App = { isPackaged: boolean; appPath: string; resourcesPath: string };

export function placesOf(app: App, env: NodeJS.ProcessEnv = process.env): Places {
  const { isPackaged, appPath, resourcesPath } = app;
  const root = isPackaged ? path.join(resourcesPath, 'app.asar.unpacked') : appPath;
  return {
    serverEntry: path.join(root, 'server/embedded.ts'),
    serverEnv: isPackaged ? { GATEHOUSE_MODEL_DIR: path.join(resourcesPath, 'models') } : {},
    serverNode: isPackaged ? packedNode(resourcesPath) : env['GATEHOUSE_SERVER_NODE'],
    icon: path.join(root, 'assets/icons/256x256.png'),
    // Inside the archive, whose integrity is checked.
    preload: path.join(appPath, 'dist/electron/preload-console.cjs'),
    kioskPreload: path.join(appPath, 'dist/electron/kiosk/preload-kiosk.cjs'),
  };
}

/** The environment of an installed app does not decide which program it runs. */
function packedNode(resourcesPath: string): string | undefined {
  return ['node', 'node.exe']
    .map((name) => path.join(resourcesPath, 'node', name))
    .find((file) => existsSync(file));
}
