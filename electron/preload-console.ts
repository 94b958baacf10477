/** The console's only connection to the shell: named calls, no arbitrary channel, nothing of Electron's. */
import { contextBridge, ipcRenderer } from 'electron';
import { CHANNELS, type DesktopBridge, type ShellStatus } from './channels.ts';

const bridge: DesktopBridge = {
  status: () => ipcRenderer.invoke(CHANNELS.status) as Promise<ShellStatus>,
  chooseFolder: (purpose) => ipcRenderer.invoke(CHANNELS.chooseFolder, purpose) as Promise<string | null>,
  showLogs: () => ipcRenderer.invoke(CHANNELS.showLogs) as Promise<boolean>,
};

contextBridge.exposeInMainWorld('gatehouseDesktop', bridge);
