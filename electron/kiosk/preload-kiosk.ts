/** The kiosk page's only connection to the shell: four named calls. */
import { contextBridge, ipcRenderer } from 'electron';
import { KIOSK_CHANNELS, type KioskBridge, type LeaveAnswer, type PrintFailure } from './channels.ts';

const bridge: KioskBridge = {
  lock: (token) => ipcRenderer.invoke(KIOSK_CHANNELS.lock, token) as Promise<boolean>,
  leave: (proof) => ipcRenderer.invoke(KIOSK_CHANNELS.leave, proof) as Promise<LeaveAnswer>,
  release: () => ipcRenderer.invoke(KIOSK_CHANNELS.release) as Promise<boolean>,
  print: (paper) => ipcRenderer.invoke(KIOSK_CHANNELS.print, paper) as Promise<PrintFailure | null>,
};

contextBridge.exposeInMainWorld('gatehouseKiosk', bridge);
