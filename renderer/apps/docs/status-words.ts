/** Names of HTTP statuses that this server answers with (RFC 9110; 422 and 429 from RFC 9110 and RFC 6585). */
const NAMES: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** @returns an empty text for a status without a name here */
export function statusWords(status: number): string {
  return NAMES[status] ?? '';
}
