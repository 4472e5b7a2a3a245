/**
 * The lock beside a project file. It keeps processes out of each other's way, and is taken over when its process
 * is gone. It need not be perfect: who lost it without knowing is stopped in replace.ts before anything is lost.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { monotonic } from '../clock.js';
import { lockFailure, refusedWrite } from './failures.js';

export type LockLimits = {
  /** How long to wait for another process. */
  waitMs: number;
  /** A change takes milliseconds: a lock that is older than this was forgotten. */
  oldestMs: number;
};

export interface Lock {
  /** False when another process thought that this lock was left behind, and took over. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

type Owner = { pid: number; host: string; time: number; token: string };

/** A process that was killed between making its lock and signing it leaves an empty one. */
const UNSIGNED_MS = 1000;

export const lockFileOf = (file: string): string => path.join(path.dirname(file), `.${path.basename(file)}.lock`);

/** Waits for the lock of a file and takes it. */
export async function takeLock(file: string, { waitMs, oldestMs }: LockLimits): Promise<Lock> {
  const lockFile = lockFileOf(file);
  const began = monotonic();
  let unsignedSince: number | undefined;
  for (;;) {
    const lock = await tryLock(lockFile, path.basename(file));
    if (lock) return lock;
    const owner = await ownerOf(lockFile);
    const now = monotonic();
    unsignedSince = owner === 'unsigned' ? (unsignedSince ?? now) : undefined;
    const left = owner === 'unsigned' ? now - (unsignedSince ?? now) > UNSIGNED_MS : owner && isLeft(owner, oldestMs);
    if (left) await removeLeft(lockFile, path.basename(file));
    else if (owner && now - began > waitMs) throw lockFailure(path.basename(file), describe(owner));
    // Uneven pauses, so that processes do not meet again and again.
    else await setTimeout(2 + Math.random() * 20);
  }
}

async function tryLock(lockFile: string, fileName: string): Promise<Lock | undefined> {
  const owner: Owner = { pid: process.pid, host: os.hostname(), time: Date.now(), token: randomUUID() };
  const handle = await openNew(lockFile, fileName);
  if (!handle) return undefined;
  try {
    await handle.writeFile(JSON.stringify(owner));
  } catch (thrown) {
    await rm(lockFile, { force: true });
    throw refusedWrite(fileName, thrown);
  } finally {
    await handle.close();
  }
  const isOurs = async () => {
    const current = await ownerOf(lockFile);
    return typeof current === 'object' && current.token === owner.token;
  };
  return { isOurs, release: async () => void ((await isOurs()) && (await rm(lockFile, { force: true }))) };
}

async function openNew(lockFile: string, fileName: string): Promise<FileHandle | undefined> {
  try {
    return await open(lockFile, 'wx');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw refusedWrite(fileName, thrown);
  }
}

async function removeLeft(lockFile: string, fileName: string): Promise<void> {
  await rm(lockFile, { force: true }).catch(() => {
    throw lockFailure(fileName, 'a process that is gone');
  });
}

/** Who holds the lock, if anyone does. */
async function ownerOf(lockFile: string): Promise<Owner | 'unsigned' | undefined> {
  const text = await readFile(lockFile, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    return '';
  });
  return text === undefined ? undefined : signature(text);
}

function signature(text: string): Owner | 'unsigned' {
  try {
    const { pid, host, time, token } = JSON.parse(text) as Partial<Record<keyof Owner, unknown>>;
    const sound = Number.isSafeInteger(pid) && Number(pid) > 0 && typeof time === 'number';
    if (!sound || typeof host !== 'string' || typeof token !== 'string') return 'unsigned';
    return { pid: Number(pid), host, time, token };
  } catch {
    return 'unsigned';
  }
}

/** A time far in the future is as wrong as one long ago: some clock was set. */
function isLeft({ pid, host, time }: Owner, oldestMs: number): boolean {
  if (Math.abs(Date.now() - time) > oldestMs) return true;
  if (host !== os.hostname()) return false;
  if (pid !== process.pid) return !isAlive(pid);
  // In a container that was started again, the new process often has the number of the dead one.
  return time < Date.now() - process.uptime() * 1000 - 1000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function describe(owner: Owner | 'unsigned'): string {
  if (owner === 'unsigned') return 'a process that did not sign its lock';
  return owner.host === os.hostname() ? `process ${owner.pid}` : `process ${owner.pid} on another host`;
}
