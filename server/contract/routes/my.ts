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

const bodyLimit = 4 * 1024;

export const my = {
  sendCode: {
    method: 'POST',
    path: '/flow/my/code',
    body: MyCodeRequest,
    reply: MyCodeResponse,
    bodyLimit,
  },
  open: {
    method: 'POST',
    path: '/flow/my/open',
    body: MyOpenRequest,
    reply: MyOpenResponse,
    bodyLimit,
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
    method: 'POST',
    path: '/flow/my/disconnect',
    body: MyAction,
    reply: MyConnections,
    bodyLimit,
  },
  erase: {
    method: 'POST',
    path: '/flow/my/erase',
    body: MyAction,
    reply: MyConnections,
    bodyLimit,
  },
} as const satisfies Routes;
