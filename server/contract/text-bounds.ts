/**
 * How long texts may be, in characters, where the contract says nothing (decisions §6). Every free text of a request has a
 * bound; the API reference shows each.
 */

/** Addresses and parts of addresses; also own ids of verifications. */
export const MAX_ADDRESS_CHARS = 2_048;
/** RFC 3696: 64 before the @, 255 after it. */
export const MAX_EMAIL_CHARS = 320;
/** E.164 has 16; people add spaces and brackets. */
export const MAX_PHONE_CHARS = 40;
/** Names out of a known set, and ids of ours. */
export const MAX_NAME_CHARS = 64;
/** Session ids and tokens. */
export const MAX_TOKEN_CHARS = 256;

/** Of `pass_params`, as JSON in UTF-8. */
export const MAX_PASS_PARAMS_BYTES = 8_192;
/** Of a `config`, as JSON in UTF-8. */
export const MAX_CONFIG_BYTES = 16_384;

/** JSON Schema keyword: most bytes of an object as JSON in UTF-8. */
export const MAX_JSON_BYTES = 'x-max-json-bytes';
