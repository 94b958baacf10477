/** What the desktop app told this process at its start. A service and a command were told nothing. */
type Shell = {
  /** An installed app, which has no command line. */
  isInstalled: boolean;
  /** The app was started with `--recover`: an admin may set a new passphrase with the recovery phrase. */
  recovers: boolean;
};

let shell: Shell = { isInstalled: false, recovers: false };

export const setDesktopShell = (given: Shell): void => void (shell = given);
export const desktopShell = (): Shell => shell;
