/** Which of a new company's first steps are done. */
import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader } from '../sql/port.ts';

type FirstStepFacts = {
  hasEvent: boolean;
  hasKiosk: boolean;
  hasGuest: boolean;
  hasColleague: boolean;
};

export async function readFirstStepFacts(db: SqlReader, scope: Scope): Promise<FirstStepFacts> {
  const row = await db.one<{ events: number; kiosks: number; passes: number; operators: number }>(
    `SELECT
       CASE WHEN EXISTS (SELECT 1 FROM events WHERE company_id = ? AND partition = ?) THEN 1 ELSE 0 END AS events,
       CASE WHEN EXISTS (SELECT 1 FROM kiosks WHERE company_id = ? AND paired_at IS NOT NULL)
         THEN 1 ELSE 0 END AS kiosks,
       CASE WHEN EXISTS (SELECT 1 FROM passes WHERE company_id = ? AND partition = ?) THEN 1 ELSE 0 END AS passes,
       (SELECT COUNT(*) FROM operators WHERE disabled_at IS NULL) AS operators`,
    ...ofScope(scope),
    scope.companyId,
    ...ofScope(scope),
  );
  return {
    hasEvent: row?.events === 1,
    hasKiosk: row?.kiosks === 1,
    hasGuest: row?.passes === 1,
    hasColleague: (row?.operators ?? 0) > 1,
  };
}
