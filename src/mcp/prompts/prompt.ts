/** What a prompt is: a workflow that people repeat, with the data that it begins with. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Envelope, Session } from '../../workspace.js';

export type PromptInput = { name: string; description: string; required: boolean };

export type WorkflowPrompt = {
  name: string;
  title: string;
  description: string;
  inputs: readonly PromptInput[];
  /** The tools that the workflow cannot do without. */
  needs: readonly string[];
  /** The text of the one message, with data that is read now. */
  write(session: Session, given: Readonly<Record<string, string>>): Promise<string>;
  /** Values for an argument, the best first. */
  complete(session: Session, name: string): Promise<string[]>;
};

const MOST_CHARACTERS = 24_000;

/** Data as a block of JSON, cut where it would fill the context. */
export function block(title: string, value: unknown): string {
  const text = JSON.stringify(value, null, 1);
  const cut = text.length > MOST_CHARACTERS;
  const note = cut ? '\n(Cut here: call the tool for the rest.)' : '';
  return `${title}\n\n\`\`\`json\n${cut ? text.slice(0, MOST_CHARACTERS) : text}\n\`\`\`${note}`;
}

/** The answer of a call that the prompt cannot do without. */
export async function required(session: Session, tool: string, input: Record<string, unknown>): Promise<Envelope> {
  const envelope = await session.callUntyped(tool, input);
  if (envelope.success) return envelope;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${envelope.error}. ${envelope.instruction}`);
}

/** Whether the session has a tool, for a step that is only worth naming then. */
export const has = (session: Session, name: string): boolean => session.tools().some((tool) => tool.name === name);

/** A list of names out of an answer; none where the call is refused, for completion must not fail. */
export async function namesOf(session: Session, tool: string, list: string, name: string): Promise<string[]> {
  if (!has(session, tool)) return [];
  const envelope = await session.callUntyped(tool, {});
  const items = envelope.success ? envelope[list] : [];
  return (Array.isArray(items) ? items : []).flatMap((item: Record<string, unknown>) =>
    typeof item[name] === 'string' ? [item[name]] : [],
  );
}

/** The names of document sets: collections, groups and categories. */
export const documentSets = async (session: Session): Promise<string[]> => [
  ...(await namesOf(session, 'category_list', 'categories', 'name')),
  ...(await namesOf(session, 'collection_list', 'collections', 'name')),
];

/** Numbered steps; those that do not apply are left out. */
export const steps = (list: readonly (string | false)[]): string =>
  list
    .filter((step) => step !== false)
    .map((step, index) => `${index + 1}. ${step}`)
    .join('\n');
