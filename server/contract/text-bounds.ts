/**
 * Maximum length of texts in characters, if the contract sets none (decisions §6). Every free text of a request has a
 * limit; the API reference shows each.
 */

/** Addresses and parts of addresses. */
export const MAX_ADDRESS_CHARS = 2_048;
/** IDs that the customer chooses, in every generation. PostgreSQL can't index an ID of much more. */
export const MAX_ID_LENGTH = 255;
/** RFC 3696: 64 before the @, 255 after it. */
export const MAX_EMAIL_CHARS = 320;
/** E.164 has 16; people add spaces and brackets. */
export const MAX_PHONE_CHARS = 40;
/** Names from a known set, and our own IDs. */
export const MAX_NAME_CHARS = 64;
/** Session IDs and tokens. */
export const MAX_TOKEN_CHARS = 256;

/** Of `pass_params`, as JSON in UTF-8, in bytes. */
export const MAX_PASS_PARAMS_BYTES = 8_192;
/** Of a `config`, as JSON in UTF-8, in bytes. */
export const MAX_CONFIG_BYTES = 16_384;

/** JSON Schema keyword: maximum size of an object as JSON in UTF-8, in bytes. */
export const MAX_JSON_BYTES = 'x-max-json-bytes';

/** Of an operator's PIN. */
export const PIN_DIGITS = 6;
export const PIN_PATTERN = `^[0-9]{${PIN_DIGITS}}$`;

const EDGE = String.raw`[^\s\x00-\x1f\x7f-\x9f]`;
/** Parsers drop white space around an address (decisions §3.20). Without look-behind, for clients in any language. */
export const NO_SPACE_AROUND = String.raw`^(${EDGE}([\s\S]*${EDGE})?)?$`;
