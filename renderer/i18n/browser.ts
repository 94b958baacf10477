/** Browsers as far as they differ in where a person allows the camera again. */
export type BrowserFamily =
  | 'ios_safari'
  | 'ios_other'
  | 'android_chrome'
  | 'firefox'
  | 'desktop_chrome'
  | 'desktop_safari'
  | 'other';

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

/** Tokens that apps leave in the user agent of the browser they contain. */
const IN_APP =
  /FBAN|FBAV|FB_IAB|Instagram|\bLine\/|GSA\/|MicroMessenger|Snapchat|Pinterest|LinkedInApp|Twitter|musical_ly|BytedanceWebview|; wv\)/;

/** Whether a page is likely shown inside an app. A hint for words of help: whether there is a camera decides. */
export function looksInApp(userAgent: string): boolean {
  if (IN_APP.test(userAgent)) return true;
  // Every browser of the system says Safari at its end; a bare web view does not.
  return /iPhone|iPad|iPod/.test(userAgent) && !/Safari\//.test(userAgent);
}

export type PhoneSystem = 'ios' | 'android' | 'other';

/** @param userAgent `navigator.userAgent`; used for words of help only */
export function phoneSystem(userAgent: string): PhoneSystem {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  return /Android/.test(userAgent) ? 'android' : 'other';
}
