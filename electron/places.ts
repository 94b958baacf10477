/** Where things are, in a checkout and in a package. */
import path from 'node:path';

export type Places = {
  /** The server's entry. Outside the archive: its workers and native modules are opened as plain files. */
  serverEntry: string;
  /** Settings that only a package needs; a checkout's server finds its files by itself. */
  serverEnv: Record<string, string>;
  icon: string;
  /** The console's only way to the shell. */
  preload: string;
};

export function placesOf(app: { isPackaged: boolean; appPath: string; resourcesPath: string }): Places {
  const { isPackaged, appPath, resourcesPath } = app;
  const root = isPackaged ? path.join(resourcesPath, 'app.asar.unpacked') : appPath;
  return {
    serverEntry: path.join(root, 'server/embedded.ts'),
    serverEnv: isPackaged ? { GATEHOUSE_MODEL_DIR: path.join(resourcesPath, 'models') } : {},
    icon: path.join(root, 'assets/icons/256x256.png'),
    // Inside the archive, whose integrity is checked.
    preload: path.join(appPath, 'dist/electron/preload-console.cjs'),
  };
}
