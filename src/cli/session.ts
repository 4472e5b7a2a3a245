/** A session for one command: opened when needed, closed when the command ends. */
import type { SettingValues } from '../config/settings.js';
import { openWorkspace, type Session } from '../workspace.js';

/** `settings` win over the configuration. */
export async function withSession<T>(
  work: (session: Session) => Promise<T>,
  settings: Partial<SettingValues> = {},
  project: string = process.cwd(),
): Promise<T> {
  const workspace = await openWorkspace({ settings });
  try {
    return await work(workspace.session({ door: 'cli', project }));
  } finally {
    await workspace.close();
  }
}
