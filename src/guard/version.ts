/** Step 6: a change must say which version it is based on, where its tool asks for that. */
import { conflict } from '../errors.js';
import { currentVersion } from '../library/tree/version.js';
import type { Sql } from '../storage/sql.js';
import type { Tool } from '../tools/define.js';

export async function checkVersionGiven(tool: Tool, version: string | undefined, sql: Sql): Promise<void> {
  if (tool.versionRule !== 'required' || version !== undefined) return;
  const current = await currentVersion(sql);
  throw conflict`'${tool.name}' needs the version that it is based on`
    .with({ currentVersion: current })
    .advise(`Read what you want to change, and pass the version that the read answers; now it is '${current}'.`);
}
