/**
 * Remembers that a script was broken off and may hold OmniFocus up. A file says so to all processes of a user:
 * every command is a process of its own, and each of them would send one more script to wait behind the first.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';

export type Circuit = { isOpen(): boolean; open(): void; close(): void };

export function circuit(file: string): Circuit {
  // Also without the file: a folder that cannot be written must not make this process forget.
  let openHere = false;
  return {
    isOpen: () => openHere || existsSync(file),
    open() {
      openHere = true;
      attempt(() => writeFileSync(file, '', { flag: 'wx', mode: 0o600 }));
    },
    close() {
      openHere = false;
      attempt(() => rmSync(file, { force: true }));
    },
  };
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // It is there already, or this user may not write here.
  }
}
