/** Why an attempt got no whole answer, in words for whoever looks after the receiver. */

/** A name that leads where no webhook may go. */
export class RefusedAddressError extends Error {
  constructor(host: string, address: string) {
    super(
      `${host} leads to ${address}, which is not a public address. The operator can allow-list the host.`,
    );
    this.name = 'RefusedAddressError';
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver reset the connection.',
  EPIPE: 'The receiver closed the connection while it was being written to.',
  ETIMEDOUT: 'The receiver could not be reached in time.',
  EHOSTUNREACH: 'There is no way to the receiver’s address.',
  ENETUNREACH: 'There is no network to reach the receiver by.',
  ENOTFOUND: 'The receiver’s name is not known.',
  ENODATA: 'The receiver’s name has no address.',
  EAI_AGAIN: 'The name servers could not be reached.',
  ETIMEOUT: 'The name servers did not answer in time.',
  ESERVFAIL: 'The name servers could not resolve the receiver’s name.',
  CERT_HAS_EXPIRED: 'The receiver’s certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The receiver’s certificate is signed by itself.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The receiver’s certificate is signed by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The receiver’s certificate cannot be verified.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The receiver’s certificate is for another name.',
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too long.',
};

const MAX_CHARS = 500;

/** The words, and the system's own code behind them. */
export function failureMessage(error: Error): string {
  if (error instanceof RefusedAddressError) return error.message;
  // Several addresses were tried, and each failed.
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  const message = (code === null ? undefined : MESSAGES[code]) ?? cause.message;
  return (code === null ? message : `${message} (${code})`).slice(0, MAX_CHARS);
}
