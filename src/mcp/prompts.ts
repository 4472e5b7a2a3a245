/** The prompts: listed for sessions that have the tools they need, and written with data of the moment. */
import { type Prompt, ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Session } from '../workspace.js';
import { contextPack } from './prompts/context-pack.js';
import { findAndCite } from './prompts/find-and-cite.js';
import type { WorkflowPrompt } from './prompts/prompt.js';
import { reviewChange } from './prompts/review-change.js';
import { tidyFolder } from './prompts/tidy-folder.js';
import { canCall } from './resource-family.js';

const table: readonly WorkflowPrompt[] = [findAndCite, contextPack, reviewChange, tidyFolder];

/** The prompts whose tools the session may call. */
export const promptsFor = (session: Session): WorkflowPrompt[] => table.filter(({ needs }) => canCall(session, needs));

export function offerPrompts(server: Server, session: Session, prompts: readonly WorkflowPrompt[]): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(listed) }));
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
    const prompt = findPrompt(prompts, name);
    checkGiven(prompt, given);
    const text = await prompt.write(session, given);
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

const listed = ({ name, title, description, inputs }: WorkflowPrompt): Prompt => ({
  name,
  title,
  description,
  arguments: [...inputs],
});

export function findPrompt(prompts: readonly WorkflowPrompt[], name: string): WorkflowPrompt {
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt '${name}'`);
}

function checkGiven({ inputs }: WorkflowPrompt, given: Readonly<Record<string, string>>): void {
  const missing = inputs.find(({ name, required }) => required && !given[name]?.trim());
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing argument '${missing.name}'`);
  const extra = Object.keys(given).find((name) => !inputs.some((input) => input.name === name));
  if (extra === undefined) return;
  const names = inputs.map(({ name }) => name).join(', ');
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown argument '${extra}'. Arguments: ${names}`);
}
