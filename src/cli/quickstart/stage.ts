/** Where the quickstart plays: a scratch folder with two projects and one library, and a voice that tells the story. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Envelope, Workspace } from '../../workspace.js';
import { bold, dim, print, safe } from '../terminal.js';
import { handbook } from './handbook.js';

export type Stage = {
  workspace: Workspace;
  /** The project that publishes documents. */
  handbook: string;
  /** The project that uses them. */
  app: string;
};

export function setStage(workspace: Workspace, folder: string): Stage {
  const stage = { workspace, handbook: path.join(folder, 'handbook'), app: path.join(folder, 'app') };
  mkdirSync(stage.app);
  for (const [name, content] of Object.entries(handbook)) {
    const file = path.join(stage.handbook, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return stage;
}

/** A step of the story: its title, and what one would type to do the same. */
export function step(title: string, ...commands: string[]): void {
  print(`\n${bold(title)}`);
  for (const command of commands) print(dim(`  $ ai-assist ${command}`));
}

export const say = (text: string): void => print(`  ${safe(text)}`);

/** The answer of a call that belongs to the story. The story cannot go on without it. */
export async function made<Answer extends Envelope>(
  answer: Promise<Answer>,
): Promise<Extract<Answer, { success: true }>> {
  const envelope = await answer;
  if (envelope.success) return envelope as Extract<Answer, { success: true }>;
  throw new Error(`${envelope.error} ${envelope.instruction}`);
}

/** The answer of a call that the story wants to be refused. */
export async function refused(answer: Promise<Envelope>): Promise<Extract<Envelope, { success: false }>> {
  const envelope = await answer;
  if (!envelope.success) return envelope;
  throw new Error('A call that should have been refused was not.');
}

/** One document, two documents. */
export const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
