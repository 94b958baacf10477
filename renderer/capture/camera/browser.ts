/** Browsers, as far as they differ in where a person allows the camera again. */
type BrowserFamily =
  | 'ios_safari'
  | 'ios_other'
  | 'android_chrome'
  | 'firefox'
  | 'desktop_chrome'
  | 'desktop_safari'
  | 'other';

/** @param userAgent `navigator.userAgent`; used for help texts only, never for a decision. */
export function browserFamily(userAgent: string): BrowserFamily {
  if (/iPhone|iPad|iPod/.test(userAgent)) {
    return /CriOS|FxiOS|EdgiOS/.test(userAgent) ? 'ios_other' : 'ios_safari';
  }
  if (/Firefox\//.test(userAgent)) return 'firefox';
  if (/Android/.test(userAgent)) return /Chrome\//.test(userAgent) ? 'android_chrome' : 'other';
  if (/Chrome\/|Edg\//.test(userAgent)) return 'desktop_chrome';
  return /Safari\//.test(userAgent) ? 'desktop_safari' : 'other';
}

/** Tokens that apps add to the user agent of their built-in browser. */
const IN_APP =
  /FBAN|FBAV|FB_IAB|Instagram|\bLine\/|GSA\/|MicroMessenger|Snapchat|Pinterest|LinkedInApp|Twitter|musical_ly|BytedanceWebview|; wv\)/;

/** Whether a page is probably shown inside an app. A hint for help texts; the camera itself decides. */
export function looksInApp(userAgent: string): boolean {
  if (IN_APP.test(userAgent)) return true;
  // Every system browser has Safari at the end of its user agent; a bare web view does not.
  return /iPhone|iPad|iPod/.test(userAgent) && !/Safari\//.test(userAgent);
}

type PhoneSystem = 'ios' | 'android' | 'other';

/** @param userAgent `navigator.userAgent`; used for help texts only */
export function phoneSystem(userAgent: string): PhoneSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  return /Android/.test(userAgent) ? 'android' : 'other';
}
