/** Browsers as far as they differ in where a person allows the camera again. */
export type BrowserFamily =
  'ios_safari' | 'ios_other' | 'android_chrome' | 'firefox' | 'desktop_chrome' | 'desktop_safari' | 'other';

/** @param userAgent `navigator.userAgent`; used for words of help only, never for a decision. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent)) {
    return /CriOS|FxiOS|EdgiOS/.test(userAgent) ? 'ios_other' : 'ios_safari';
  }
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent)) return /Chrome\//.test(userAgent) ? 'android_chrome' : 'other';
  if (/Chrome\/|Edg\//.test(userAgent)) return 'desktop_chrome';
  return /Safari\//.test(userAgent) ? 'desktop_safari' : 'other';
}
