/**
 * "My verifications": a person with a verified number, or with the proof of the run that they just made, manages their own
 * data. The caller sends either as `X-My-Token`.
 */
import {
  MyAction,
  MyCodeRequest,
  MyCodeResponse,
  MyConnections,
  MyContact,
  MyOpenRequest,
  MyOpenResponse,
} from '../my.ts';
import type { Routes } from './route.ts';

const post = { method: 'POST', bodyLimit: 4 * 1024 } as const;

export const my = {
  sendCode: {
    ...post,
    path: '/flow/my/code',
    body: MyCodeRequest,
    reply: MyCodeResponse,
  },
  open: {
    ...post,
    path: '/flow/my/open',
    body: MyOpenRequest,
    reply: MyOpenResponse,
  },
  contact: {
    method: 'GET',
    path: '/flow/my/contact',
    reply: MyContact,
  },
  list: {
    method: 'GET',
    path: '/flow/my',
    reply: MyConnections,
  },
  disconnect: {
    ...post,
    path: '/flow/my/disconnect',
    body: MyAction,
    reply: MyConnections,
  },
  erase: {
    ...post,
    path: '/flow/my/erase',
    body: MyAction,
    reply: MyConnections,
  },
} as const satisfies Routes;
