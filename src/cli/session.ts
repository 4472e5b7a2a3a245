/** A session for one command: opened when needed, closed when the command ends. */
import type { SettingValues } from '../config/settings.js';
import type { Tool } from '../tools/define.js';
import { openWorkspace, type Session } from '../workspace.js';

export type SessionNeeds = {
  /** Settings that win over the configuration. */
  settings?: Partial<SettingValues>;
  project?: string | undefined;
  /** The tools that the command calls, so that the rest need not be loaded. */
  tools?: readonly Tool[];
};

export async function withSession<T>(
  work: (session: Session) => Promise<T>,
  { settings = {}, project = process.cwd(), tools }: SessionNeeds = {},
): Promise<T> {
  const workspace = await openWorkspace({ settings, ...(tools && { tools }) });
  try {
    return await work(workspace.session({ door: 'cli', project }));
  } finally {
    await workspace.close();
  }
}
