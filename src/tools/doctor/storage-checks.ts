/** Checks of the database and of what is kept in it. */
import { runRuleset } from '../../library/tree/rules/lint.js';
import { keywordHealth } from '../../search/keyword-health.js';
import { verifyAudit } from '../../storage/audit-log.js';
import { integrityFaults, schemaVersion } from '../../storage/health.js';
import type { ToolCall } from '../call.js';
import { type Finding, ok, problem } from './check.js';

const BACKUP = 'Stop all that uses the database, copy it away, and restore a backup.';

export async function databaseIsWhole({ database }: ToolCall): Promise<Finding> {
  const faults = await database.read(integrityFaults);
  if (faults.length === 0) return ok('The database opens, and it is whole.');
  return problem(`The database '${database.location}' is damaged: ${faults.join('; ')}`, BACKUP);
}

export async function schemaIsKnown({ database }: ToolCall): Promise<Finding> {
  const { found, known } = await database.read(schemaVersion);
  if (found === known) return ok('The schema of the database is current.');
  return problem(
    `The schema of the database is ${found}, and this version of ai-assist knows ${known}`,
    'Another version of ai-assist has changed it. Update this one, and restart what runs.',
  );
}

export async function libraryIsSound({ database, signal }: ToolCall): Promise<Finding> {
  const pause = async () => signal.throwIfAborted();
  const { violations } = await database.read((sql) => runRuleset({ sql, scope: { of: 'all' }, pause }, 'structure'));
  const [first] = violations;
  if (!first) return ok('The tree of the library is sound.');
  return problem(
    `The tree of the library is damaged at node '${first.nodeId}': ${first.message} (faults in all: ${violations.length})`,
    'See them all: ai-assist tool validate_tree --ruleset-id structure. Then restore a snapshot or a backup.',
  );
}

export async function keywordsAreConsistent({ database }: ToolCall): Promise<Finding> {
  const { unindexed, strays } = await database.read(keywordHealth);
  if (unindexed + strays === 0) return ok('The keyword index fits the documents.');
  return problem(
    `The keyword index does not fit the documents: ${unindexed} chunks are not in it, and ${strays} entries have no chunk`,
    'Index everything again: ai-assist collections sync --force',
  );
}

export async function auditIsIntact({ database }: ToolCall): Promise<Finding> {
  const { intact, brokenAt, reason } = await database.read(verifyAudit);
  if (intact) return ok('The audit log is intact.');
  return problem(
    `The audit log is broken at entry ${brokenAt}: ${reason}`,
    'Compare it with a backup or an earlier export: ai-assist audit export',
  );
}
