import { z } from 'zod';
import { asFailure } from '../../errors.js';
import type { ToolCall } from '../call.js';
import { defineTool } from '../define.js';
import { type Check, type Finding, levels, problem } from './check.js';
import { checks } from './checks.js';

const finding = z.object({
  check: z.string().describe('What was looked at.'),
  level: z.enum(levels),
  message: z.string(),
  mend: z.string().optional().describe('How to mend it.'),
});

export const doctor = defineTool({
  name: 'doctor',
  toolset: 'audit',
  summary:
    'Check that everything works, and say how to mend what does not. Looks at the settings, the database, the audit log, the library, the project file, the collections, the index and the providers; it changes nothing.',
  effect: 'read',
  role: 'owner',
  // The database may be what is broken, and a provider may take its time.
  outside: true,
  input: {},
  output: {
    healthy: z.boolean().describe('Whether there is no problem. Warnings do not count.'),
    findings: z.array(finding),
    skipped: z.array(z.string()).describe('Checks that could not be made, because the database cannot be read.'),
  },
  example: { input: {} },
  errors: [],
  run: async (_input, call) => examine(checks, call),
});

type Named = Finding & { check: string };

/** Makes the checks one after the other. Those on the database are left out once it turned out to be broken. */
export async function examine(table: readonly Check[], call: ToolCall) {
  const findings: Named[] = [];
  const skipped: string[] = [];
  const isBroken = () => findings.some(({ check, level }) => check === 'database' && level === 'problem');
  for (const check of table) {
    if (check.needsDatabase && isBroken()) skipped.push(check.name);
    else findings.push(...(await made(check, call)).map((found) => ({ check: check.name, ...found })));
  }
  return { healthy: findings.every(({ level }) => level !== 'problem'), findings, skipped };
}

async function made({ run }: Check, call: ToolCall): Promise<Finding[]> {
  call.signal.throwIfAborted();
  try {
    return [await run(call)].flat();
  } catch (thrown) {
    const { message, instruction } = asFailure(thrown);
    return [problem(message, instruction)];
  }
}
