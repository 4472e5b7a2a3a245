import { z } from 'zod';
import { auditOutcomes, lastAudit, listAudit } from '../../storage/audit-log.js';
import { defineTool } from '../define.js';

const entry = z.object({
  seq: z.number(),
  at: z.string().describe('Time, ISO 8601.'),
  agent: z.string(),
  role: z.string(),
  door: z.string().describe('Where the call came in: library, cli or mcp.'),
  tool: z.string(),
  effect: z.string(),
  outcome: z.enum(auditOutcomes),
  errorType: z.string().nullable(),
  error: z.string().nullable().describe("The error text, with hashes in place of the caller's values."),
  targets: z.array(z.string()),
  inputHash: z.string(),
  revision: z.number().nullable(),
  previous: z.string(),
  hash: z.string(),
});

export const auditList = defineTool({
  name: 'audit_list',
  toolset: 'audit',
  summary: 'List the audit log: who called which tool, when, on what, and with what outcome. Oldest entries first.',
  effect: 'read',
  role: 'owner',
  input: {
    agent: z.string().optional().describe('Only calls of this agent.'),
    tool: z.string().optional().describe('Only calls of this tool.'),
    outcome: z.enum(auditOutcomes).optional().describe('Only calls with this outcome.'),
    after: z.int().min(0).optional().describe('Only entries after this number: pass nextAfter to go on.'),
    last: z.int().min(1).max(1000).optional().describe('Only the newest entries, so many of them.'),
    limit: z.int().min(1).max(1000).optional().describe('How many entries at the most. Default: 100.'),
  },
  output: {
    entries: z.array(entry),
    nextAfter: z.number().optional().describe('There may be more entries: pass this as after.'),
  },
  example: { input: { tool: 'add_folder', limit: 2 } },
  errors: [],
  run: async ({ after = 0, limit = 100, last, ...filter }, { sql }) => {
    const logged = last
      ? await lastAudit(sql, { ...filter, after, limit: last })
      : await listAudit(sql, { ...filter, after, limit });
    const entries = logged.map((line) => ({ ...line, at: new Date(line.at).toISOString() }));
    const final = entries.at(-1);
    return final && !last && entries.length === limit ? { entries, nextAfter: final.seq } : { entries };
  },
});
