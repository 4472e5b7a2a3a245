/** A session for one command: opened when needed, closed when the command ends. */
import { openWorkspace, type Session } from '../workspace.js';

export async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace();
  try {
    return await work(workspace.session({ door: 'cli', project: process.cwd() }));
  } finally {
    await workspace.close();
  }
}
