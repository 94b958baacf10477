import type { Migration } from './migration.ts';

/**
 * A person's passes and templates are read with their scope. The planner counts equal columns: with only the person in
 * an index, it took the scope's, and read every pass of the company at each settlement.
 */
export const personIndexes: Migration = {
  version: 15,
  name: 'person-indexes',
  sql: `
-- The person comes first, for what happens to these rows when a person is removed.
DROP INDEX passes_person;
CREATE INDEX passes_person ON passes (person_id, company_id, partition, settled_at, id);
DROP INDEX templates_person;
CREATE INDEX templates_person ON templates (person_id, company_id, partition, created_at);
`,
};
