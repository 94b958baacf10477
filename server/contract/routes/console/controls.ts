import { Type } from 'typebox';
import {
  ControlChange,
  ControlPictureQuery,
  ControlSettings,
  MAX_CONTROL_NAME,
  MAX_CONTROL_PICTURE_BYTES,
} from '../../console/controls.ts';
import type { ConsoleRoutes } from '../route.ts';

const person = { name: Type.String({ minLength: 1, maxLength: MAX_CONTROL_NAME, pattern: '\\S' }) };

export const controls = {
  read: {
    method: 'GET',
    path: '/settings/controls',
    role: 'admin',
    about: 'installation',
    summary: 'Read how often control cases come, and whom they show',
    reply: ControlSettings,
  },
  change: {
    method: 'PUT',
    path: '/settings/controls',
    role: 'admin',
    about: 'installation',
    summary: 'Change how often control cases come',
    body: ControlChange,
    reply: ControlSettings,
  },
  addPicture: {
    method: 'PUT',
    path: '/settings/controls/people/:name',
    role: 'admin',
    about: 'installation',
    summary: 'Add a picture for control cases; the body is the picture',
    params: person,
    query: ControlPictureQuery,
    reply: ControlSettings,
    bodyLimit: MAX_CONTROL_PICTURE_BYTES,
  },
  removePerson: {
    method: 'DELETE',
    path: '/settings/controls/people/:name',
    role: 'admin',
    about: 'installation',
    summary: 'Delete the pictures of a person, and withdraw the control cases that show them',
    params: person,
    reply: ControlSettings,
  },
  picture: {
    method: 'GET',
    path: '/settings/controls/pictures/:picture_id',
    role: 'admin',
    about: 'installation',
    background: true,
    summary: 'Get a picture for control cases, as JPEG',
    params: { picture_id: Type.String({ maxLength: 64 }) },
  },
} as const satisfies ConsoleRoutes;
