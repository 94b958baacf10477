/** Where Debian installs the additional browsers for the tests. */
import { existsSync } from 'node:fs';

/** The executable; undefined if it is not installed. */
export const findFirefox = (): string | undefined => existing('/usr/bin/firefox-esr');

/** The driver and the browser that it starts; undefined if one is not installed. */
export function findWebKit(): { driver: string; browser: string } | undefined {
  const driver = existing('/usr/bin/WebKitWebDriver');
  const browser = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((folder) => existing(`/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`))
    .find((file) => file !== undefined);
  return driver !== undefined && browser !== undefined ? { driver, browser } : undefined;
}

const existing = (file: string): string | undefined => (existsSync(file) ? file : undefined);
