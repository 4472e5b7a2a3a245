/** Step 2: may this agent call this tool in this session? */
import { roles } from '../config/settings.js';
import { plainFailure } from '../errors.js';
import type { Identity } from '../tools/call.js';
import type { Tool } from '../tools/define.js';
import { isSelected, type Selection } from '../tools/selection.js';

/** What a session may do. A tool must be in every selection: each one can only narrow the others. */
export type Permission = { identity: Identity; readOnly: boolean; selections: readonly Selection[] };

const isEnabled = (tool: Tool, { selections }: Permission) =>
  selections.every((selection) => isSelected(tool, selection));
const hasRole = (tool: Tool, { role }: Identity) => roles.indexOf(role) >= roles.indexOf(tool.role);

/** Whether the tool is shown to this agent at all. */
export function mayCall(tool: Tool, permission: Permission): boolean {
  const { identity, readOnly } = permission;
  return isEnabled(tool, permission) && hasRole(tool, identity) && !(readOnly && tool.effect !== 'read');
}

export function authorise(tool: Tool, permission: Permission): void {
  const { identity, readOnly } = permission;
  if (!isEnabled(tool, permission)) {
    throw refused(
      `'${tool.name}' belongs to the toolset '${tool.toolset}', and this session does not have it`,
      `Ask for a session with the toolset ${tool.toolset}, or with the tool ${tool.name}.`,
    );
  }
  if (!hasRole(tool, identity)) {
    throw refused(
      `Agent '${identity.agent}' is ${article(identity.role)} and may not call '${tool.name}'`,
      `This tool needs the role ${tool.role}. Ask for a session with that role.`,
    );
  }
  if (readOnly && tool.effect !== 'read') {
    throw refused(
      `'${tool.name}' changes something, and this session is read-only`,
      'Use tools that only read, or ask for a session that may write.',
    );
  }
}

/** The log knows the agent and the tool anyway: nothing here is the caller's secret. */
const refused = (message: string, instruction: string) => plainFailure('forbidden', message).advise(instruction);

const article = (role: string) => (role === 'reader' ? 'a reader' : `an ${role}`);
