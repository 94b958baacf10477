/** All calls of a page to the shell: one channel each, with validation of its arguments. */
export const CHANNELS = {
  /** → `ShellStatus` */
  status: 'gatehouse:status',
  /** `FolderPurpose` → the chosen folder, or null */
  chooseFolder: 'gatehouse:choose-folder',
  /** Opens the folder of the log files. → true */
  showLogs: 'gatehouse:show-logs',
} as const;

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];

/** How the database key is stored. `file` can be read by anyone who can read the disk as this user. */
export type KeyStorage = 'keychain' | 'file';
export type ShellStatus = { version: string; keyStorage: KeyStorage };

const FOLDER_PURPOSES = ['backups'] as const;
type FolderPurpose = (typeof FOLDER_PURPOSES)[number];

/** The type of `window.gatehouseDesktop` in the console; absent in a browser. */
export type DesktopBridge = {
  status(): Promise<ShellStatus>;
  chooseFolder(purpose: FolderPurpose): Promise<string | null>;
  showLogs(): Promise<boolean>;
};

const nothing = (args: readonly unknown[]): boolean => args.length === 0;

const ARGUMENTS: Record<Channel, (args: readonly unknown[]) => boolean> = {
  [CHANNELS.status]: nothing,
  [CHANNELS.showLogs]: nothing,
  [CHANNELS.chooseFolder]: (args) =>
    args.length === 1 && FOLDER_PURPOSES.some((purpose) => purpose === args[0]),
};

/** Whether the arguments of a call match its channel exactly. */
export const areArgumentsValid = (channel: Channel, args: readonly unknown[]): boolean =>
  ARGUMENTS[channel](args);
