/** The calls of a backend that integrates v1 or v2. */
import type {
  CreateRequest,
  CreateResponse,
  StatusRequest,
  StatusResponse,
} from '../../server/contract/v2.ts';
import { type Backend, sendOk } from './http.ts';

/**
 * A call of v1 or v2 with an `API-KEY`.
 * @throws with the reply if it is not 200
 */
export const call = <T>({ baseUrl }: Backend, key: string, path: string, body?: object): Promise<T> =>
  sendOk<T>(baseUrl + path, { method: 'POST', headers: { 'api-key': key }, ...(body ? { body } : {}) });

export const create = (server: Backend, key: string, body: CreateRequest): Promise<CreateResponse> =>
  call(server, key, '/v2/verification/create', body);

export const status = (server: Backend, key: string, body: StatusRequest): Promise<StatusResponse> =>
  call(server, key, '/v2/verification/status', body);
