/** File paths of the app, in a checkout and in a package. */
import { existsSync } from 'node:fs';
import path from 'node:path';

type AppPaths = {
  /** The server's entry. Outside the archive, because its workers and native modules are opened as plain files. */
  serverEntry: string;
  /** Settings in the server's environment, which override the app's own environment. */
  serverEnv: Record<string, string>;
  /** Node.js for an Electron whose own is too old: packaged with the app, or named by GATEHOUSE_SERVER_NODE in a checkout. */
  serverNode: string | undefined;
  icon: string;
  /** The console's only connection to the shell. */
  preload: string;
  /** The kiosk page's. */
  kioskPreload: string;
};

type App = { isPackaged: boolean; appPath: string; resourcesPath: string };

export function appPaths(app: App, env: NodeJS.ProcessEnv = process.env): AppPaths {
  const { isPackaged, appPath, resourcesPath } = app;
  const root = isPackaged ? path.join(resourcesPath, 'app.asar.unpacked') : appPath;
  return {
    serverEntry: path.join(root, 'dist/server/embedded.js'),
    serverEnv: {
      // No load balancer waits for this server, and the supervisor does not wait for a drain.
      GATEHOUSE_DRAIN_SECONDS: '0',
      GATEHOUSE_SUPERVISED: '1',
      ...(isPackaged ? { GATEHOUSE_MODEL_DIR: path.join(resourcesPath, 'models') } : {}),
    },
    serverNode: isPackaged ? packedNode(resourcesPath) : env['GATEHOUSE_SERVER_NODE'],
    icon: path.join(root, 'assets/icons/256x256.png'),
    // Inside the archive, whose integrity is checked.
    preload: path.join(appPath, 'dist/electron/preload-console.cjs'),
    kioskPreload: path.join(appPath, 'dist/electron/kiosk/preload-kiosk.cjs'),
  };
}

/** The environment of an installed app must not decide which program it runs. */
function packedNode(resourcesPath: string): string | undefined {
  return ['node', 'node.exe']
    .map((name) => path.join(resourcesPath, 'node', name))
    .find((file) => existsSync(file));
}
