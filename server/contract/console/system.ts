/** The database and the nodes of the installation, for admins: `GET /console/api/settings/system`. */
import { Type, type Static } from 'typebox';
import { oneOf } from './common.ts';

const time = Type.String({ format: 'date-time' });

export const SystemNode = Type.Object({
  node_id: Type.String(),
  name: Type.String({ description: 'Name of the machine.' }),
  is_this: Type.Boolean({ description: 'Whether it answers this request.' }),
  state: oneOf(['serving', 'draining', 'gone'], {
    description: '`gone`: no report for 60 seconds.',
  }),
  role: oneOf(['leader', 'member'], { description: 'The leader runs the background jobs.' }),
  version: Type.String({ description: 'Version of Gatehouse.' }),
  index_lag: Type.Integer({ description: 'Face changes that its index has not read yet.' }),
  started_at: time,
  seen_at: time,
  addresses: Type.Array(Type.String(), { description: 'Origins that it listens on.' }),
});
export type SystemNode = Static<typeof SystemNode>;

export const SystemState = Type.Object({
  database: Type.Object({
    engine: oneOf(['sqlite', 'postgres']),
    version: Type.String(),
    bytes: Type.Integer({ description: 'Size on the disk.' }),
  }),
  nodes: Type.Array(SystemNode),
});
export type SystemState = Static<typeof SystemState>;
