/** Who holds a claim: a process on a machine, and a mark that tells two claims of one process apart. */
import { randomBytes } from 'node:crypto';
import os from 'node:os';

export const newHolder = (): string => `${os.hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`;

export function holderParts(holder: string): { host: string; pid: number } {
  const [host = '', pid = ''] = holder.split('/');
  return { host, pid: Number(pid) };
}

/** Whether the process is known to have ended. Of other machines nothing is known. */
export function isGone(holder: string, isAlive: (pid: number) => boolean = processIsAlive): boolean {
  const { host, pid } = holderParts(holder);
  return host === os.hostname() && !isAlive(pid);
}

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // A process of another user is there too, it only may not be signalled.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
