/** Messages of the reference. It is in English only, as the descriptions in the OpenAPI document are. */
import type { ReferenceMessages } from '../../../locales/types/reference.ts';
import compiled from '../../../locales/en/reference.json';

export const messages = compiled as unknown as ReferenceMessages;
