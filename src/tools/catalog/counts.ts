/** How many documents a name takes. A fault in the project file is told beside it, and fails no list. */
import { namedScopeOf } from '../../catalog/scope.js';
import { Failure } from '../../errors.js';
import type { Project } from '../../project/find.js';
import { documentsIn } from '../../search/scope.js';
import type { Sql } from '../../storage/sql.js';

export type Count = { documents: number; failure?: undefined } | { documents: null; failure: Failure };

export async function countIn(sql: Sql, project: Project, name: string): Promise<Count> {
  try {
    const { parts } = await namedScopeOf(sql, project, [name]);
    return { documents: (await documentsIn(sql, parts)).size };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { documents: null, failure: thrown };
  }
}
