/** What any page has that the app shows, now or after a later change, until a window gives it more: nothing. */
import { app } from 'electron';

/** To be called before the app is ready, so that nothing is opened before it. */
export function denyByDefault(): void {
  app.on('session-created', (pages) => {
    pages.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
    pages.setPermissionCheckHandler(() => false);
    pages.setDevicePermissionHandler(() => false);
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}
