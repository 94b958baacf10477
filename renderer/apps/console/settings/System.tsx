/** The database and the nodes that serve it: one on SQLite, one or more on PostgreSQL. */
import { useQuery } from '@tanstack/react-query';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import type { SystemNode, SystemState } from '../../../../server/contract/console/settings.ts';
import { HealthPanel } from '../health/HealthPanel.tsx';
import { healthQuery } from '../shared/client/queries.ts';
import { megabytes } from '../shared/megabytes.ts';
import { call } from '../shared/client/api.ts';
import { Fact, Facts, TimeFact } from '../shared/lists/DetailDrawer.tsx';
import type { IconName } from '../shared/icons.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { Panel, WithSetting } from './Section.tsx';

/** Nodes report themselves, and free space changes, without an event. */
const REFETCH_MS = 10_000;
const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const STATES: Record<SystemNode['state'], { tone: Tone; icon: IconName }> = {
  serving: { tone: 'passed', icon: 'check' },
  draining: { tone: 'look', icon: 'clock' },
  gone: { tone: 'refused', icon: 'offline' },
};

export function System() {
  const { system: words } = useWords('settings');
  return (
    <WithSetting
      name={['system']}
      read={(signal) => call(settings.system, { signal })}
      refetchMs={() => REFETCH_MS}
    >
      {({ database, nodes }) => (
        <>
          <Health />
          <DatabaseFacts database={database} />
          <Panel title={words.nodes}>
            <ul className="settings__nodes">
              {nodes.map((node) => (
                <Node key={node.node_id} node={node} />
              ))}
            </ul>
          </Panel>
        </>
      )}
    </WithSetting>
  );
}

function Health() {
  const { data } = useQuery({ ...healthQuery, refetchInterval: REFETCH_MS });
  return data === undefined ? <div aria-busy="true" /> : <HealthPanel health={data} />;
}

function DatabaseFacts({ database: { engine, version, bytes } }: Pick<SystemState, 'database'>) {
  const { system: words } = useWords('settings');
  const { language } = useLanguage();
  return (
    <Panel title={words.database} text={words[engine]}>
      <Facts>
        <Fact term={words.engine}>{`${ENGINES[engine]} ${version}`}</Fact>
        <Fact term={words.size}>{megabytes(bytes, language)}</Fact>
      </Facts>
    </Panel>
  );
}

function Node({ node }: { node: SystemNode }) {
  const { system: words } = useWords('settings');
  return (
    <li>
      <div className="row">
        <h3>{node.name}</h3>
        <Status {...STATES[node.state]}>{words[node.state]}</Status>
        {node.is_this && <span className="quiet">{words.isThis}</span>}
      </div>
      <Facts>
        <Fact term={words.role}>{words[node.role]}</Fact>
        <Fact term={words.version}>{node.version}</Fact>
        <Fact term={words.lag}>{words.changes({ count: node.index_lag })}</Fact>
        <TimeFact term={words.seen} at={node.seen_at} />
        <TimeFact term={words.started} at={node.started_at} />
        <Fact term={words.addresses}>
          {node.addresses.map((address) => (
            <code key={address} className="settings__address">
              {address}
            </code>
          ))}
        </Fact>
      </Facts>
    </li>
  );
}
