import { z } from 'zod';
import { verifyAudit } from '../../storage/audit-log.js';
import { defineTool } from '../define.js';

export const auditVerify = defineTool({
  name: 'audit_verify',
  toolset: 'audit',
  summary: 'Verify the audit log: follow its chain of hashes and name the first entry that was changed or is missing.',
  effect: 'read',
  role: 'owner',
  input: {},
  output: {
    intact: z.boolean(),
    entries: z.number().describe('How many entries hold.'),
    brokenAt: z.number().optional().describe('Number of the first entry that does not hold.'),
    reason: z.string().optional(),
  },
  example: { input: {} },
  errors: [],
  run: (_input, { sql }) => verifyAudit(sql),
});
