import { Type } from 'typebox';
import {
  ControlChange,
  ControlPictureQuery,
  ControlSettings,
  MAX_CONTROL_NAME,
  MAX_CONTROL_PICTURE_BYTES,
} from '../../console/controls.ts';
import { type ConsoleRoutes, OF_INSTALLATION } from '../route.ts';

const person = { name: Type.String({ minLength: 1, maxLength: MAX_CONTROL_NAME, pattern: '\\S' }) };

export const controls = {
  read: {
    ...OF_INSTALLATION,
    method: 'GET',
    path: '/settings/controls',
    summary: 'Read how often control cases come, and whom they show',
    reply: ControlSettings,
  },
  change: {
    ...OF_INSTALLATION,
    method: 'PUT',
    path: '/settings/controls',
    summary: 'Change how often control cases come',
    body: ControlChange,
    reply: ControlSettings,
  },
  addPicture: {
    ...OF_INSTALLATION,
    method: 'PUT',
    path: '/settings/controls/people/:name',
    summary: 'Add a picture for control cases; the body is the picture',
    params: person,
    query: ControlPictureQuery,
    reply: ControlSettings,
    bodyLimit: MAX_CONTROL_PICTURE_BYTES,
  },
  removePerson: {
    ...OF_INSTALLATION,
    method: 'DELETE',
    path: '/settings/controls/people/:name',
    summary: 'Delete the pictures of a person, and withdraw the control cases that show them',
    params: person,
    reply: ControlSettings,
  },
  picture: {
    ...OF_INSTALLATION,
    method: 'GET',
    path: '/settings/controls/pictures/:picture_id',
    background: true,
    summary: 'Get a picture for control cases, as JPEG',
    params: { picture_id: Type.String({ maxLength: 64 }) },
  },
} as const satisfies ConsoleRoutes;
